import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '#core/testing/eventually.js';

/** A TCP client that sends raw bytes to the server. */
export class RawConnection {
  received = '';
  isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (data) => {
      this.received += data.toString('latin1');
    });
    socket.on('close', () => {
      this.isClosed = true;
    });
    // Tests expect the server to close connections.
    socket.on('error', () => socket.destroy());
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect({ host: '127.0.0.1', port });
    const connection = new RawConnection(socket);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    return connection;
  }

  write(data: string | Buffer): void {
    if (this.socket.writable) this.socket.write(data);
  }

  /** Ends the sending side. */
  end(): void {
    this.socket.end();
  }

  close(): void {
    this.socket.destroy();
  }

  /** Waits for the status line and headers of an answer and returns its status. */
  async status(withinMs = 12_000): Promise<number> {
    await eventually('an answer', async () => this.received.includes('\r\n\r\n'), withinMs);
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.received)?.[1]);
  }

  async closed(withinMs = 12_000): Promise<void> {
    await eventually('the end of the connection', async () => this.isClosed, withinMs);
  }
}
