import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '#core/testing/eventually.js';

/** A caller who speaks bytes, not HTTP: whatever a program or an attacker may put on the wire. */
export class RawConnection {
  /** All that has come back so far. */
  received = '';
  isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (data) => {
      this.received += data.toString('latin1');
    });
    socket.on('close', () => {
      this.isClosed = true;
    });
    // A server that hangs up is what is looked for.
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

  /** Sends no more, and still reads. */
  end(): void {
    this.socket.end();
  }

  close(): void {
    this.socket.destroy();
  }

  /** Waits for an answer's first line and headers, and answers its status. */
  async status(withinMs = 5_000): Promise<number> {
    await eventually('an answer', async () => this.received.includes('\r\n\r\n'), withinMs);
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.received)?.[1]);
  }

  async closed(withinMs = 5_000): Promise<void> {
    await eventually('the end of the connection', async () => this.isClosed, withinMs);
  }
}
