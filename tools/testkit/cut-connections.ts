import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut, as a network or a balancer does. */
export class CutConnections {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private isSilent = false;

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<CutConnections> {
    const server = createServer((socket) => way.lead(socket, port));
    const way = new CutConnections(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return way;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Connections that are open, at both ends. */
  get openSockets(): number {
    return this.sockets.size;
  }

  /** Ends all connections, and new ones until `heal`. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /**
   * Connections stay, new connections are accepted, and nothing passes until `heal`. A connection
   * that its client gives up is closed: in a long silence such connections would use up the files
   * that a process may open.
   */
  silence(): void {
    this.isSilent = true;
    for (const socket of this.sockets) discard(socket.unpipe());
  }

  /** Connections that were silenced break. */
  heal(): void {
    if (this.isSilent) for (const socket of this.sockets) socket.destroy();
    this.isCut = false;
    this.isSilent = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private lead(socket: Socket, port: number): void {
    if (this.isCut) return void socket.destroy();
    this.keep(socket);
    if (this.isSilent) return discard(socket);
    const upstream = connect(port, '127.0.0.1');
    this.keep(upstream);
    socket.pipe(upstream);
    upstream.pipe(socket);
    socket.on('close', () => upstream.destroy());
    // In a silence the client does not learn of the end.
    upstream.on('close', () => {
      if (!this.isSilent) socket.destroy();
    });
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }
}

/** Reads on, so that the end of the connection is noticed. */
function discard(socket: Socket): void {
  socket.resume();
}
