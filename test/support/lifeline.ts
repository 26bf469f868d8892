import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Connection, Connections } from '../../src/store/connections.js';
import { freePort } from './free-port.mjs';

/** A proxy to the database that can be cut and mended, frozen and thawed. */
export class Lifeline {
  private readonly sockets = new Set<Socket>();
  private frozen = false;
  private readonly server: Server;
  private port: number | undefined;

  private constructor(private readonly direct: Connections) {
    this.server = createServer((inbound) => {
      const outbound = this.reach();
      for (const socket of [inbound, outbound]) {
        this.sockets.add(socket);
        if (this.frozen) socket.cork();
        socket.on('error', () => socket.destroy()).on('close', () => this.sockets.delete(socket));
      }
      inbound.pipe(outbound).pipe(inbound);
      inbound.on('close', () => outbound.destroy());
      outbound.on('close', () => inbound.destroy());
    });
  }

  static async to(direct: Connections): Promise<Lifeline> {
    const lifeline = new Lifeline(direct);
    await lifeline.mend();
    return lifeline;
  }

  get connections(): Connections {
    return { ...this.direct, to: (role) => this.through(this.direct.to(role)) };
  }

  /** Cuts all traffic; a second call changes nothing. */
  async cut(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** On the same port as before, if there was one. */
  async mend(): Promise<void> {
    this.port ??= await freePort();
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Connections stay open and new ones are accepted, but no data arrives. */
  freeze(): void {
    this.frozen = true;
    for (const socket of this.sockets) socket.cork();
  }

  /** The data sent meanwhile arrives now. */
  thaw(): void {
    this.frozen = false;
    for (const socket of this.sockets) socket.uncork();
  }

  private through(connection: Connection): Connection {
    if (connection.connectionString === undefined) {
      return { ...connection, host: '127.0.0.1', ...(this.port !== undefined && { port: this.port }) };
    }
    const url = new URL(connection.connectionString);
    url.host = `127.0.0.1:${String(this.port)}`;
    return { ...connection, connectionString: url.href };
  }

  private reach(): Socket {
    const { connectionString, host = '', port = 5432 } = this.direct.to('api');
    if (connectionString !== undefined) {
      const url = new URL(connectionString);
      return connect(Number(url.port || 5432), url.hostname);
    }
    // A folder contains PostgreSQL's Unix socket.
    return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${String(port)}`) : connect(port, host);
  }
}
