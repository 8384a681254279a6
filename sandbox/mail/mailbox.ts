import { randomUUID } from 'node:crypto';
import PostalMime, { decodeWords } from 'postal-mime';
import type { EventStream } from '../pages/event-stream.js';

export interface Mail {
  readonly id: string;
  /** Envelope addresses, joined by a comma and a space. */
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly at: string;
  /** Decoded values by lower-case name; a repeated name has its first value. */
  readonly headers: Readonly<Record<string, string>>;
  /** File names. */
  readonly attachments: readonly string[];
}

const KEPT_MAX = 500;

/** The newest mails to all recipients, oldest first. */
export class Mailbox {
  private mails: Mail[] = [];

  constructor(
    private readonly stream: EventStream,
    private readonly now: () => number = Date.now,
  ) {}

  /** Parses and stores a mail. Throws when its headers or parts exceed the parser's bounds. */
  async receive(from: string, to: readonly string[], source: Uint8Array): Promise<void> {
    const parsed = await parseMail(source);
    const mail: Mail = {
      id: randomUUID(),
      to: to.join(', '),
      from,
      ...parsed,
      subject: parsed.headers['subject'] ?? '',
      at: new Date(this.now()).toISOString(),
    };
    this.mails = [...this.mails.slice(-(KEPT_MAX - 1)), mail];
    this.stream.send('mail', { id: mail.id });
  }

  /** Mails to an address, or all. */
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

/**
 * Reads the headers, the text and HTML parts, and the names of the attachments of a MIME message.
 */
export async function parseMail(source: Uint8Array): Promise<Pick<Mail, 'headers' | 'text' | 'html' | 'attachments'>> {
  const { headers, text, html, attachments } = await PostalMime.parse(source);
  const byName = new Map<string, string>();
  for (const { key, value } of headers) if (!byName.has(key)) byName.set(key, decodeWords(value));
  return {
    headers: Object.fromEntries(byName),
    text: withoutLastNewline(text),
    html: withoutLastNewline(html),
    attachments: attachments.map(({ filename, mimeType }) => filename ?? mimeType),
  };
}

/** The parser ends every part with a newline. */
function withoutLastNewline(part: string | undefined): string | null {
  return part?.replace(/\n$/, '') ?? null;
}
