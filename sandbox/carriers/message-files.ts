import { createHash } from 'node:crypto';
import { Agent } from 'undici';
import type { MediaBook, MessageMedia } from './media.js';

/** Both carriers take ten files at most. */
export const FILES_MAX = 10;
export const FILES_BYTES_MAX = 5_000_000;
const FETCH_MS = 15_000;

/** A file of a message, as the carrier fetched it. */
export interface MessageFile extends MessageMedia {
  readonly url: string;
  readonly bytes: number;
  /** Hash in hex. */
  readonly sha256: string;
}

/** Reason why the files of a message could not be fetched. */
export type FileProblem = 'not_fetched' | 'wrong_type' | 'too_large';

type Fetched =
  | { readonly kind: 'fetched'; readonly files: readonly MessageFile[] }
  | { readonly kind: 'failed'; readonly problem: FileProblem };

interface FileUrls {
  readonly productUrl: string;
  /** Beginning of the links that the product makes. */
  readonly publicProductUrl: string;
}

/** Types that Twilio takes (https://www.twilio.com/docs/messaging/guides/accepted-mime-types). */
const takenTypes = new RegExp(
  `^(${[
    'image/(jpeg|jpg|gif|png|bmp|tiff|heic|heif)',
    'audio/(basic|L24|mp4|mpeg|ogg|3gpp|3gpp2|ac3|webm|amr-nb|amr|aac)',
    'video/(mpeg|mp4|quicktime|webm|3gpp|3gpp2)',
    'text/(vcard|x-vcard|csv|rtf|richtext|calendar|directory)',
    'application/(pdf|vcard)',
  ].join('|')})$`,
);

/** The first bytes of the types that browsers show. */
const signatures: readonly (readonly [type: string, start: Buffer])[] = [
  ['image/jpeg', Buffer.from('ffd8ff', 'hex')],
  ['image/png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['image/gif', Buffer.from('GIF8', 'latin1')],
];

/** Fetches the files of messages as a carrier does, and keeps them for the phone. */
export class MessageFiles {
  private readonly agent = new Agent({ connections: 20 });

  constructor(
    private readonly urls: FileUrls,
    private readonly media: MediaBook,
  ) {}

  /** Fetches all files of a message, or returns the problem. */
  async fetch(messageSid: string, urls: readonly string[]): Promise<Fetched> {
    const found: { readonly url: string; readonly type: string; readonly content: Buffer }[] = [];
    let left = FILES_BYTES_MAX;
    for (const url of urls) {
      const file = await this.get(url, left);
      if (typeof file === 'string') return { kind: 'failed', problem: file };
      if (!isOfType(file)) return { kind: 'failed', problem: 'wrong_type' };
      left -= file.content.length;
      found.push({ url, ...file });
    }
    const files = found.map(({ url, type, content }) => ({
      ...this.media.add(messageSid, { type, bytes: content }),
      url,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    }));
    return { kind: 'fetched', files };
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async get(url: string, bytesMax: number): Promise<{ type: string; content: Buffer } | FileProblem> {
    const signal = AbortSignal.timeout(FETCH_MS);
    try {
      const { origin, pathname, search } = new URL(this.reachable(url));
      const answer = await this.agent.request({ origin, path: pathname + search, method: 'GET', signal });
      if (answer.statusCode !== 200) {
        await answer.body.dump();
        return 'not_fetched';
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > bytesMax) return 'too_large';
        chunks.push(chunk);
      }
      const [type = ''] = String(answer.headers['content-type'] ?? '').split(';');
      return { type: type.trim().toLowerCase(), content: Buffer.concat(chunks) };
    } catch {
      // To the carrier, a file that is refused, broken or late does not exist.
      return 'not_fetched';
    }
  }

  // In containers the product is reached under another name than its public URL.
  private reachable(url: string): string {
    const { productUrl, publicProductUrl } = this.urls;
    return url.startsWith(`${publicProductUrl}/`) ? productUrl + url.slice(publicProductUrl.length) : url;
  }
}

/** A carrier rejects a file whose bytes are not of its Content-Type. */
function isOfType({ type, content }: { readonly type: string; readonly content: Buffer }): boolean {
  if (!takenTypes.test(type)) return false;
  const expected = signatures.find(([known]) => known === type.replace('image/jpg', 'image/jpeg'));
  return expected === undefined || content.subarray(0, expected[1].length).equals(expected[1]);
}
