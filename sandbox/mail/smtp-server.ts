import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SmtpSession, type SmtpHost } from './smtp-session.js';

const CONNECTIONS_MAX = 100;
const IDLE_MS = 60_000;
/** RFC 5321 allows 1,000 bytes a line; senders that break the rule are still understood. */
const LINE_BYTES_MAX = 65_536;

/** Takes mail over SMTP, as the mail server of the whole world. */
export class SmtpServer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  constructor(private readonly host: SmtpHost) {
    this.server = createServer((socket) => this.converse(socket));
    this.server.maxConnections = CONNECTIONS_MAX;
  }

  /** Resolves with the port; throws what the system says if it cannot be opened. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    await new Promise((resolve) => this.server.close(resolve));
  }

  private converse(socket: Socket): void {
    this.sockets.add(socket);
    const session = new SmtpSession(this.host);
    let unread = '';
    // Lines are answered one after the other, also when an answer takes its time.
    let turn: Promise<void> = Promise.resolve();
    socket.setTimeout(IDLE_MS, () => socket.end('421 4.4.2 Nothing was said for too long\r\n'));
    socket.on('close', () => this.sockets.delete(socket));
    // A connection that breaks ends its conversation, and no other: 'close' follows.
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      const lines = (unread + chunk.toString('latin1')).split('\n');
      unread = lines.pop() ?? '';
      if (unread.length > LINE_BYTES_MAX) {
        socket.end('500 5.5.6 Line too long\r\n');
        return;
      }
      turn = turn.then(() => answerAll(socket, session, lines));
    });
    socket.write('220 sandbox ESMTP\r\n');
  }
}

async function answerAll(socket: Socket, session: SmtpSession, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    if (socket.destroyed) return;
    const { text, afterMs = 0, isLast = false } = session.take(line.replace(/\r$/, ''));
    if (afterMs > 0) await pause(afterMs);
    if (text !== null) socket.write(`${text}\r\n`);
    if (isLast) socket.end();
  }
}
