interface CurlMessage {
  readonly origin: string;
  readonly to: string;
  readonly message: string;
  readonly apiKey: string;
}

/** The shell command that sends this message: the sample of the documentation with what was typed. */
export function curlText({ origin, to, message, apiKey }: CurlMessage): string {
  const fields = Object.entries({ to, message, apikey: apiKey });
  const lines = fields.map(([name, value]) => `  --data-urlencode ${name}=${quoted(value)}`);
  return [`curl ${origin}/api/sendsms`, ...lines].join(' \\\n');
}

/** For any POSIX shell: nothing has a meaning between single quotes but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
