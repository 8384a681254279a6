/** What a piece of code is, for its colour; none for plain text. */
export type TokenKind = 'keyword' | 'string' | 'name' | 'number' | 'comment';
export type Token = readonly [text: string, kind?: TokenKind];

/** Code in coloured pieces, line ends among them. It is made at build (content/highlight.server.ts), not in the browser. */
export type Code = readonly Token[];

export function plainText(code: Code): string {
  return code.map(([text]) => text).join('');
}

/** Cuts code after so many characters. */
export function splitCode(code: Code, characters: number): readonly [before: Code, after: Code] {
  const before: Token[] = [];
  const after: Token[] = [];
  let left = characters;
  for (const [text, ...kind] of code) {
    if (left > 0) before.push([text.slice(0, left), ...kind]);
    if (left < text.length) after.push([text.slice(Math.max(left, 0)), ...kind]);
    left -= text.length;
  }
  return [before, after];
}
