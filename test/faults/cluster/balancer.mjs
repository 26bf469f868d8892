// nginx with the repository's own configuration in front of the instances.
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../../bench/workspace.mjs';
import { freePort } from '../../support/free-port.mjs';
import { get } from './get.mjs';
import { Family } from './program.mjs';
import { Ended, until } from './until.mjs';

export class Balancer extends Family {
  constructor(folder, port) {
    const args = ['-p', `${folder}/`, '-c', path.join(folder, 'nginx.conf'), '-g', 'daemon off;'];
    super('nginx', () => ({ file: 'nginx', args, environment: {}, folder, logFile: path.join(folder, 'output.log') }));
    this.folder = folder;
    this.port = port;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async start() {
    super.start();
    await until(10_000, 'nginx', async () => {
      if (!this.running) throw new Ended(`nginx ended: ${this.output().slice(-1_000)}`);
      return (await get(this.url)).status > 0;
    });
  }

  /** Writes the list of instances as a new file; `reload` makes a running nginx read it. */
  async lead(ports) {
    const lines = ports.map((port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;\n`);
    await writeFile(path.join(this.folder, 'nginx/instances.conf'), lines.join(''));
  }

  reload() {
    process.kill(this.pid, 'SIGHUP');
  }

  /** On SIGQUIT nginx finishes its requests. */
  stop(signal = 'SIGTERM') {
    return super.stop(signal);
  }
}

export async function startBalancer(defer, { folder, ports }) {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'pipe' });
  } catch {
    throw new Error('nginx is missing: install it (Debian: apt-get install nginx-light), or ask for no balancer');
  }
  const own = path.join(folder, 'nginx');
  await mkdir(path.join(own, 'nginx'), { recursive: true });
  // If root starts nginx, its workers run as another user, who needs access to their temporary files.
  await chmod(folder, 0o755);
  await copyFile(path.join(ROOT, 'docker/nginx.conf'), path.join(own, 'nginx.conf'));
  const balancer = new Balancer(own, await freePort());
  await writeFile(path.join(own, 'nginx/listen.conf'), `listen 127.0.0.1:${balancer.port};\n`);
  await balancer.lead(ports);
  defer(() => balancer.end());
  await balancer.start();
  return balancer;
}
