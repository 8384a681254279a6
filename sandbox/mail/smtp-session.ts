import type { Fault } from '../control/faults.js';

export const MESSAGE_BYTES_MAX = 10_485_760;
const RECIPIENTS_MAX = 100;

/** What a session needs of its server. */
export interface SmtpHost {
  /** The fault for the mail that begins now. */
  takeFault(): Fault;
  deliver(from: string, to: readonly string[], source: string): void;
}

/** What to do after a line: write this, wait first, never answer, or hang up. */
export interface SmtpReply {
  readonly text: string | null;
  readonly afterMs?: number;
  readonly isLast?: boolean;
}

const NOTHING: SmtpReply = { text: null };
const say = (text: string): SmtpReply => ({ text });

/** One conversation of RFC 5321, line by line; lines hold one byte a character and no line end. */
export class SmtpSession {
  private state: 'command' | 'data' | 'auth plain' | 'auth user' | 'auth password' = 'command';
  private isGreeted = false;
  private from: string | null = null;
  private to: string[] = [];
  private lines: string[] = [];
  private bytes = 0;
  private fault: Fault | null = null;

  constructor(private readonly host: SmtpHost) {}

  take(line: string): SmtpReply {
    if (this.state === 'data') return this.takeData(line);
    if (this.state === 'command') return this.takeCommand(line);
    return this.takeCredentials(line);
  }

  private takeCommand(line: string): SmtpReply {
    const [, verb = '', rest = ''] = /^(\w+)\s*(.*)$/s.exec(line) ?? [];
    switch (verb.toUpperCase()) {
      case 'EHLO':
        this.greet();
        return say(
          [
            '250-sandbox at your service',
            `250-SIZE ${MESSAGE_BYTES_MAX}`,
            '250-8BITMIME',
            '250-SMTPUTF8',
            '250 AUTH PLAIN LOGIN',
          ].join('\r\n'),
        );
      case 'HELO':
        this.greet();
        return say('250 sandbox at your service');
      case 'AUTH':
        return this.authenticate(rest);
      case 'MAIL':
        return this.begin(rest);
      case 'RCPT':
        return this.addRecipient(rest);
      case 'DATA':
        if (this.to.length === 0) return say('503 5.5.1 RCPT first');
        this.state = 'data';
        return say('354 End with a dot on a line of its own');
      case 'RSET':
        this.forget();
        return say('250 2.0.0 Forgotten');
      case 'NOOP':
        return say('250 2.0.0 Still here');
      case 'VRFY':
        return say('252 2.0.0 Try it');
      case 'QUIT':
        return { text: '221 2.0.0 Goodbye', isLast: true };
      default:
        return say('500 5.5.2 Command not known');
    }
  }

  private greet(): void {
    this.isGreeted = true;
    this.forget();
  }

  /** Any name and password will do. */
  private authenticate(rest: string): SmtpReply {
    const [mechanism = '', initial = ''] = rest.split(/\s+/);
    const kind = mechanism.toUpperCase();
    if (kind !== 'PLAIN' && kind !== 'LOGIN') return say('504 5.5.4 AUTH PLAIN or LOGIN');
    if (kind === 'PLAIN') {
      if (initial !== '') return say('235 2.7.0 Welcome');
      this.state = 'auth plain';
      return say('334 ');
    }
    this.state = initial === '' ? 'auth user' : 'auth password';
    return say(initial === '' ? '334 VXNlcm5hbWU6' : '334 UGFzc3dvcmQ6');
  }

  private takeCredentials(line: string): SmtpReply {
    const wasUser = this.state === 'auth user';
    this.state = 'command';
    if (line === '*') return say('501 5.7.0 Given up');
    if (!wasUser) return say('235 2.7.0 Welcome');
    this.state = 'auth password';
    return say('334 UGFzc3dvcmQ6');
  }

  private begin(rest: string): SmtpReply {
    const [, address, more = ''] = /^FROM:\s*<([^<>]*)>(.*)$/is.exec(rest) ?? [];
    if (!this.isGreeted) return say('503 5.5.1 EHLO first');
    if (address === undefined) return say('501 5.5.4 MAIL FROM:<address>');
    if (this.from !== null) return say('503 5.5.1 A mail is begun already');
    if (Number(/\bSIZE=(\d+)/i.exec(more)?.[1] ?? 0) > MESSAGE_BYTES_MAX) return say('552 5.3.4 Too large');
    this.from = utf8(address);
    this.fault = this.host.takeFault();
    return say('250 2.1.0 Sender taken');
  }

  private addRecipient(rest: string): SmtpReply {
    const [, address] = /^TO:\s*<([^<>@]+@[^<>]+)>/is.exec(rest) ?? [];
    if (this.from === null) return say('503 5.5.1 MAIL first');
    if (address === undefined) return say('501 5.1.3 RCPT TO:<name@domain>');
    if (this.fault?.mode === 'refuse') return say('550 5.1.1 No such mailbox here');
    if (this.fault?.mode === 'temporary') return say('450 4.2.0 Mailbox busy, try again later');
    if (this.to.length === RECIPIENTS_MAX) return say('452 4.5.3 Too many recipients');
    this.to.push(utf8(address));
    return say('250 2.1.5 Recipient taken');
  }

  private takeData(line: string): SmtpReply {
    if (line !== '.') {
      this.bytes += line.length + 2;
      // Beyond the bound nothing is kept, but the end is waited for.
      if (this.bytes <= MESSAGE_BYTES_MAX) this.lines.push(line.startsWith('.') ? line.slice(1) : line);
      return NOTHING;
    }
    const { from, to, lines, bytes, fault } = this;
    this.forget();
    if (bytes > MESSAGE_BYTES_MAX) return say('552 5.3.4 Too large');
    if (fault?.mode === 'timeout') return NOTHING;
    this.host.deliver(from ?? '', to, lines.join('\r\n'));
    return { text: '250 2.0.0 Taken', afterMs: fault?.mode === 'delay' ? fault.delayMs : 0 };
  }

  private forget(): void {
    this.state = 'command';
    this.from = null;
    this.to = [];
    this.lines = [];
    this.bytes = 0;
    this.fault = null;
  }
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
