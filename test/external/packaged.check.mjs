import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { diskBytes, packageInto } from '../../scripts/package.mjs';
import { freePort } from '../support/free-port.mjs';

const LIMIT_MB = 160;

/** Packages the built service, and starts it from there by `npm start`: no compiler is installed in it. */
export const check = {
  name: 'packaged',
  verifies: `What running needs is under ${LIMIT_MB} MB, and starts without a compiler`,
  async run() {
    const folder = await mkdtemp(path.join(tmpdir(), 'tidemark-packaged-'));
    const service = path.join(folder, 'tidemark');
    try {
      packageInto(service);
      const size = Math.round(diskBytes(service) / 2 ** 20);
      const answer = await firstAnswer(service);
      const found = [
        ...(size > LIMIT_MB ? [`${size} MB are installed, of ${LIMIT_MB}`] : []),
        ...(answer.status === 200 ? [] : [`The first response: ${answer.status}\n${answer.output}`]),
      ];
      return { found, said: `${size} MB; the first response has status ${answer.status}` };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function firstAnswer(folder) {
  const environment = { PATH: process.env.PATH, HOME: folder, PORT: String(await freePort()) };
  const child = spawn('npm', ['start'], { cwd: folder, env: environment, detached: true });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  let status = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`;
    const [url] = /(?<=answers at +)http\S+/.exec(line) ?? [];
    if (url === undefined) continue;
    status = (await fetch(`${url}/health/ready`)).status;
    process.kill(-child.pid, 'SIGINT');
  }
  await ended;
  return { status, output };
}
