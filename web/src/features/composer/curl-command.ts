import type { SmsEncoding } from '#contract/messages.js';

interface CurlMessage {
  readonly origin: string;
  readonly to: string;
  readonly message: string;
  /** A number or the id of a pool; undefined or empty for the best sender. */
  readonly from?: string | undefined;
  /** Send time, RFC 3339; at once if undefined. */
  readonly sendAt?: string | undefined;
  readonly encoding?: SmsEncoding | undefined;
  readonly reference?: string | null | undefined;
  /** Ids of the message's files. */
  readonly media?: readonly string[] | undefined;
  /** Sends links where files cannot be sent. */
  readonly asLinks?: boolean | undefined;
  readonly apiKey: string;
}

/** The shell command that sends a message, like the sample in the documentation. */
export function curlCommand(curl: CurlMessage): string {
  const { origin, to, message, from, sendAt, encoding, reference, media = [], asLinks = false, apiKey } = curl;
  const fields: (readonly [name: string, value: string])[] = Object.entries({
    to,
    message,
    ...(from && { from }),
    ...(sendAt !== undefined && { send_at: sendAt }),
    ...(encoding !== undefined && encoding !== 'auto' && { encoding }),
    ...(reference && { reference }),
    ...(media.length > 0 && asLinks && { media_fallback: 'link' }),
    apikey: apiKey,
  });
  const files = media.map((id) => ['media', id] as const);
  const lines = [...fields.slice(0, -1), ...files, ...fields.slice(-1)].map(
    ([name, value]) => `  --data-urlencode ${name}=${quoted(value)}`,
  );
  return [`curl ${origin}/api/sendsms`, ...lines].join(' \\\n');
}

/** Quotes for any POSIX shell: within single quotes only the quote itself is special. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
