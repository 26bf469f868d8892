import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** A proxy to a server on this machine, which can be slowed, cut, silenced, mended and redirected. */
export class Way {
  #child;
  #lastId = 0;

  constructor(child, port) {
    this.#child = child;
    this.port = port;
  }

  static async to(port, defer) {
    const child = fork(path.join(import.meta.dirname, 'proxy-process.mjs'), [String(port)], {
      detached: true,
      env: { PATH: process.env.PATH },
    });
    const ended = once(child, 'exit');
    defer(async () => {
      if (child.connected) child.disconnect();
      await ended;
    });
    const [said] = await once(child, 'message');
    return new Way(child, said.port);
  }

  delay(ms) {
    return this.#tell('delay', ms);
  }

  cut() {
    return this.#tell('cut');
  }

  silence() {
    return this.#tell('silence');
  }

  mend() {
    return this.#tell('mend');
  }

  moveTo(port) {
    return this.#tell('moveTo', port);
  }

  #tell(does, value) {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const heard = (said) => {
        if (said.id !== id) return;
        this.#child.off('message', heard);
        resolve();
      };
      this.#child.on('message', heard);
      this.#child.send({ id, does, value });
    });
  }
}
