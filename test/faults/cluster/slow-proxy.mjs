import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A loopback proxy that keeps what passes through it, each way, for as long as it is told. */
export class SlowProxy {
  delayMs = 0;
  #sockets = new Set();
  #server = createServer();
  #target;
  #cut = false;

  constructor(target) {
    this.#target = target;
    this.#server.on('connection', (inbound) => {
      if (this.#cut) {
        inbound.destroy();
        return;
      }
      const outbound = connect(this.#target, '127.0.0.1').setNoDelay(true);
      this.#pass(inbound.setNoDelay(true), outbound);
      this.#pass(outbound, inbound);
    });
  }

  static async before(target, port = 0) {
    const proxy = new SlowProxy(target);
    proxy.#server.listen(port, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port() {
    return this.#server.address().port;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** From now on new connections go there, and those that stand are closed. */
  moveTo(target) {
    this.#target = target;
    this.#closeAll();
  }

  /** Closes what stands and refuses what comes, until mended. */
  cut() {
    this.#cut = true;
    this.#closeAll();
  }

  mend() {
    this.#cut = false;
  }

  close() {
    this.#server.close();
    this.#closeAll();
  }

  #closeAll() {
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(from, to) {
    this.#sockets.add(from);
    let due = 0;
    from.on('data', (bytes) => {
      // What comes later must not overtake what waits, though the delay is shorter by now.
      due = Math.max(due, performance.now() + this.delayMs);
      const wait = due - performance.now();
      if (wait <= 0) to.write(bytes);
      else setTimeout(() => to.writable && to.write(bytes), Math.ceil(wait));
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
