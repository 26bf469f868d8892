import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../support/free-port.mjs';
import { registerOld } from '../support/register-old.mjs';
import { isInstalled } from '../support/needs.js';

/** The Redis servers of these suites: a shared one, and private ones that the suites flush and break. */
export const SHARED_URL = process.env.REDIS_TEST_URL ?? 'redis://127.0.0.1:6379';
export const redisReachable = reachable(SHARED_URL);
export const redisInstalled = isInstalled('redis-server');

function reachable(url: string): boolean {
  const { hostname, port } = new URL(url);
  const knock = `require('net').connect(${Number(port || 6379)}, ${JSON.stringify(hostname)})
    .on('connect', () => process.exit(0)).on('error', () => process.exit(1)).setTimeout(1000, () => process.exit(1))`;
  try {
    execFileSync(process.execPath, ['-e', knock], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A private server without persistence: after a kill it is empty. */
export class PrivateRedis {
  private constructor(
    readonly port: number,
    private child: ReturnType<typeof spawn>,
  ) {}

  /**
   * A server that instances knew before, unless it starts at a `port` again, without its memory. With the configuration
   * file of a sentinel, the server is one.
   */
  static async start(port?: number, args: readonly string[] = [], sentinel?: string): Promise<PrivateRedis> {
    const at = port ?? (await freePort());
    const first = sentinel === undefined ? ['--save', ''] : [sentinel, '--sentinel'];
    const child = spawn('redis-server', [...first, '--port', String(at), '--bind', '127.0.0.1', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ready = sentinel === undefined ? 'Ready to accept connections' : 'Sentinel ID is';
    for await (const line of child.stdout) {
      if (String(line).includes(ready)) break;
    }
    const server = new PrivateRedis(at, child);
    if (port === undefined && sentinel === undefined) await registerOld(server.url);
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
