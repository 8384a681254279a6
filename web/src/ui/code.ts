/** What a piece of code is, for its colour; none for plain text. */
export type TokenKind = 'keyword' | 'string' | 'name' | 'number' | 'comment';
export type Token = readonly [text: string, kind?: TokenKind];

/** Code in coloured pieces, line ends among them. It is made at build (content/highlight.server.ts), not in the browser. */
export type Code = readonly Token[];

export function plainText(code: Code): string {
  return code.map(([text]) => text).join('');
}
