import type { Socket } from 'node:net';

/** Connections of one fault that wait for an answer; the oldest is closed when there are more. */
const HUNG_MAX = 200;

/**
 * Connections whose request stays unanswered. They are closed when the fault ends, and bounded in
 * number: a client that waits for ever would use up the files that this process may open.
 */
export class HungSockets {
  private readonly sockets = new Set<Socket>();

  constructor(private readonly socketsMax = HUNG_MAX) {}

  keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    const [oldest] = this.sockets;
    if (this.sockets.size > this.socketsMax) oldest?.destroy();
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
