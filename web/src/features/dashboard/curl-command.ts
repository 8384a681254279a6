interface CurlMessage {
  readonly origin: string;
  readonly to: string;
  readonly message: string;
  /** RFC 3339; at once if undefined. */
  readonly sendAt?: string | undefined;
  readonly apiKey: string;
}

/** The shell command that sends this message, like the sample in the documentation. */
export function curlCommand({ origin, to, message, sendAt, apiKey }: CurlMessage): string {
  const fields = Object.entries({ to, message, ...(sendAt !== undefined && { send_at: sendAt }), apikey: apiKey });
  const lines = fields.map(([name, value]) => `  --data-urlencode ${name}=${quoted(value)}`);
  return [`curl ${origin}/api/sendsms`, ...lines].join(' \\\n');
}

/** Quotes for any POSIX shell: within single quotes only the quote itself is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
