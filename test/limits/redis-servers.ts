import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../support/free-port.mjs';

/** The Redis servers that these suites run against: one that is there, and private ones to be ill-treated. */
export const SHARED_URL = process.env.REDIS_TEST_URL ?? 'redis://127.0.0.1:6379';
export const redisReachable = reachable(SHARED_URL);
export const redisInstalled = spawnSync('redis-server', ['--version']).status === 0;

/** `describe`, or a skipped suite whose name says what was missing. */
export function describeIf(present: boolean, missing: string) {
  return (name: string, suite: () => void): void => {
    if (present) describe(name, suite);
    else describe.skip(`${missing}: ${name}`, suite);
  };
}

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

/** A server of our own, without persistence: killed, it comes back empty. */
export class PrivateRedis {
  private constructor(
    readonly port: number,
    private child: ReturnType<typeof spawn>,
  ) {}

  static async start(port?: number): Promise<PrivateRedis> {
    const at = port ?? (await freePort());
    const child = spawn('redis-server', ['--port', String(at), '--bind', '127.0.0.1', '--save', ''], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of child.stdout) {
      if (String(line).includes('Ready to accept connections')) break;
    }
    return new PrivateRedis(at, child);
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
