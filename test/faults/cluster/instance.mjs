// One instance of the service: the built `main.js` on a port that it keeps through restarts.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../../bench/workspace.mjs';
import { freePort } from '../../support/free-port.mjs';
import { get } from './get.mjs';
import { Program } from './program.mjs';
import { Ended, until } from './until.mjs';

const READY_MS = 90_000;
const MAIN = path.join(ROOT, 'dist/main.js');
/** As `docker/` starts it. */
const HEAP = '--max-old-space-size=512';

export class Instance extends Program {
  /** The options of its next start: `main`, `nodeArgs` and `environment` in addition to the cluster's. */
  #as = { main: MAIN, nodeArgs: [], environment: {} };

  constructor(name, { port, metricsPort, folder, environment }) {
    super(name, () => ({
      file: process.execPath,
      args: [HEAP, ...this.#as.nodeArgs, this.#as.main],
      environment: {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        DATA_DIR: path.join(folder, name),
        // Only the load balancer's forwarding headers are trusted.
        TRUSTED_PROXIES: '127.0.0.1',
        ...environment,
        ...this.#as.environment,
      },
      folder,
    }));
    this.port = port;
    this.metricsPort = metricsPort;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  get metricsUrl() {
    return `http://127.0.0.1:${this.metricsPort}/metrics`;
  }

  /** From its next start on. */
  change(as) {
    this.#as = { ...this.#as, ...as };
  }

  async start() {
    super.start();
    await this.ready(READY_MS);
  }

  /**
   * @returns {Promise<number>} milliseconds until it reported ready
   * @throws after `ms`, or if it exits
   */
  async ready(ms = READY_MS) {
    let gone = false;
    void this.ended.then(() => (gone = true));
    return until(ms, `${this.name} to be ready`, async () => {
      if (gone) throw new Ended(`${this.name} ended: ${this.output().slice(-2_000)}`);
      const { status } = await get(`${this.url}/health/ready`, 2_000);
      return status === 200;
    });
  }

  /** The lines of its log, as objects. */
  log() {
    return this.output()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line));
  }
}

export async function makeInstance(defer, name, { folder, environment, as }) {
  await mkdir(path.join(folder, name), { recursive: true });
  const [port, metricsPort] = [await freePort(), await freePort()];
  const instance = new Instance(name, { port, metricsPort, folder, environment });
  instance.change(as);
  defer(() => instance.end());
  return instance;
}
