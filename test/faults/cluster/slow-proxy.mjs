import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A loopback proxy that delays, cuts or swallows the traffic through it. */
export class SlowProxy {
  delayMs = 0;
  #sockets = new Set();
  #server = createServer();
  #target;
  #cut = false;
  #silent = false;
  /** The number of accepted connections. */
  accepted = 0;

  constructor(target) {
    this.#target = target;
    this.#server.on('connection', (inbound) => {
      if (this.#cut) {
        inbound.destroy();
        return;
      }
      this.accepted += 1;
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

  /** Connects new connections to another port and closes the existing ones. */
  moveTo(target) {
    this.#target = target;
    this.#closeAll();
  }

  /** Closes existing connections and refuses new ones, until mended. */
  cut() {
    this.#cut = true;
    this.#closeAll();
  }

  /** Accepts connections, but swallows every byte of them and of the open ones, until mended. */
  silence() {
    this.#silent = true;
  }

  mend() {
    this.#cut = false;
    this.#silent = false;
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
    const waiting = [];
    // In order, even if the delay of later chunks is shorter.
    const pass = () => {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        const wait = next.due - performance.now();
        if (wait > 0) {
          setTimeout(pass, Math.ceil(wait));
          return;
        }
        waiting.shift();
        if (to.writable) to.write(next.bytes);
      }
    };
    from.on('data', (bytes) => {
      if (this.#silent) return;
      waiting.push({ bytes, due: performance.now() + this.delayMs });
      if (waiting.length === 1) pass();
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}
