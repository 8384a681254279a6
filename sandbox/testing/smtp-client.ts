import { connect, type Socket } from 'node:net';
import { until } from './test-sandbox.js';

/** Minimal SMTP client: sends lines and collects the answers. */
export class SmtpClient {
  heard = '';
  isClosed = false;
  private readonly socket: Socket;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk: Buffer) => (this.heard += chunk.toString('utf8')));
    this.socket.on('close', () => (this.isClosed = true));
  }

  /** Sends a line and resolves with the answer. */
  async say(line: string, expected = /^\d{3} .*\r\n$/m): Promise<string> {
    this.heard = '';
    this.write(`${line}\r\n`);
    await until(`${line.slice(0, 20)} is answered`, () => expected.test(this.heard));
    return this.heard.trim();
  }

  write(text: string): void {
    this.socket.write(text, 'utf8');
  }

  /** Sends a complete mail and resolves with the answer to its end. */
  async send(to: string, source: string): Promise<string> {
    await this.say('EHLO test');
    await this.say('MAIL FROM:<product@pennytext.example> BODY=8BITMIME SMTPUTF8');
    const taken = await this.say(`RCPT TO:<${to}>`);
    if (!taken.startsWith('250')) return taken;
    await this.say('DATA');
    return this.say(`${source.replace(/\r?\n/g, '\r\n')}\r\n.`);
  }

  close(): void {
    this.socket.destroy();
  }
}
