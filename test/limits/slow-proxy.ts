import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A loopback proxy that keeps what passes through it, each way, for as long as it is told. */
export class SlowProxy {
  delayMs = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async before(port: number): Promise<SlowProxy> {
    const server = createServer();
    const proxy = new SlowProxy(server);
    server.on('connection', (inbound) => {
      const outbound = connect(port, '127.0.0.1').setNoDelay(true);
      proxy.pass(inbound.setNoDelay(true), outbound);
      proxy.pass(outbound, inbound);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private pass(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), this.delayMs));
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
  }
}
