interface Circumstances {
  readonly isLate: boolean;
  readonly timeoutMs: number;
}

const words: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'The address is not on the public internet, so it was not called.',
  ENOTFOUND: 'The name of the host does not resolve.',
  ENODATA: 'The name of the host does not resolve.',
  ESERVFAIL: 'The name server of the host did not answer.',
  ETIMEOUT: 'The name server of the host did not answer.',
  ECONNREFUSED: 'The connection was refused.',
  ENETUNREACH: 'The host cannot be reached.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ECONNRESET: 'The connection broke before the answer was complete.',
  EPIPE: 'The connection broke before the answer was complete.',
  UND_ERR_SOCKET: 'The connection broke before the answer was complete.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
};

/** Says to the owner of a webhook why a call brought no answer. Nothing of our own network is in it. */
export function wordsFor(error: unknown, { isLate, timeoutMs }: Circumstances): string {
  const code = codeOf(error);
  if (isLate || code === 'UND_ERR_CONNECT_TIMEOUT')
    return `There was no complete answer within ${timeoutMs / 1_000} s.`;
  if (code === undefined) return 'The call failed.';
  if (words[code] !== undefined) return words[code];
  if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER|VERIFY/.test(code)) return `There is no secure connection (${code}).`;
  if (code.startsWith('HPE_')) return `The answer is not HTTP (${code}).`;
  return `The call failed (${code}).`;
}

/** Of an attempt at several addresses the first one's. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
