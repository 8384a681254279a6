/** Bytes, one a character, as text: UTF-8 where they are valid UTF-8, else Latin-1. */
export function decodeText(bytes: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset, { fatal: charset.toLowerCase() === 'utf-8' }).decode(bytes);
  } catch {
    // An unknown or wrong charset: something readable is better than nothing.
    return bytes.toString('latin1');
  }
}

/** Quoted-printable of RFC 2045; `lines` holds one byte a character. */
export function quotedPrintable(lines: string): Buffer {
  return hexBytes(lines.replace(/[\t ]+$/gm, '').replace(/=\r?\n/g, ''));
}

/** A header's text with its encoded words (RFC 2047) put in clear. */
export function headerText(raw: string): string {
  // White space between two encoded words belongs to neither.
  const joined = raw.replace(/(=\?[^?\s]+\?[BbQq]\?[^?\s]*\?=)\s+(?==\?)/g, '$1');
  // Neighbours in one charset are decoded together: a character may be cut between them.
  return joined.replace(/(?:=\?([^?\s]+)\?([BbQq])\?([^?\s]*)\?=)+/g, (words) => {
    const parts = [...words.matchAll(/=\?([^?\s]+)\?([BbQq])\?([^?\s]*)\?=/g)];
    const charset = (parts[0]?.[1] ?? 'utf-8').replace(/\*.*$/, '');
    const bytes = parts.map(([, , kind = '', text = '']) =>
      kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : hexBytes(text.replaceAll('_', ' ')),
    );
    return decodeText(Buffer.concat(bytes), charset);
  });
}

function hexBytes(text: string): Buffer {
  const bytes = text.replace(/=([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
