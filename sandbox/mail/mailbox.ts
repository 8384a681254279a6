import { randomUUID } from 'node:crypto';
import type { EventStream } from '../live/event-stream.js';
import { parseMail } from './mime.js';

/** A mail that arrived. */
export interface Mail {
  readonly id: string;
  /** Envelope addresses; several are joined by a comma and a space. */
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly string[];
}

const KEPT_MAX = 500;

/** The mails of everybody, oldest first, bounded to the newest. */
export class Mailbox {
  private mails: Mail[] = [];

  constructor(
    private readonly stream: EventStream,
    private readonly now: () => number = Date.now,
  ) {}

  /** Takes in what came over SMTP; `source` holds one byte a character. */
  receive(from: string, to: readonly string[], source: string): void {
    const { headers, text, html, attachments } = parseMail(source);
    const mail: Mail = {
      id: randomUUID(),
      to: to.join(', '),
      from,
      subject: headers['subject'] ?? '',
      text,
      html,
      at: new Date(this.now()).toISOString(),
      headers,
      attachments,
    };
    this.mails = [...this.mails.slice(-(KEPT_MAX - 1)), mail];
    this.stream.send('mail', { id: mail.id });
  }

  /** Those to an address, or all. */
  list(to?: string): Mail[] {
    const wanted = to?.trim().toLowerCase();
    return this.mails.filter((mail) => wanted === undefined || mail.to.toLowerCase().split(', ').includes(wanted));
  }

  find(id: string): Mail | undefined {
    return this.mails.find((mail) => mail.id === id);
  }

  clear(): void {
    this.mails = [];
    this.stream.send('cleared', {});
  }
}
