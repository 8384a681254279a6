import { createCssVariablesTheme, createHighlighter, type ThemedToken } from 'shiki';
import type { Code, Token, TokenKind } from '../ui/code.js';

/** Languages of the shown code. */
const languages = ['bash', 'python', 'php', 'ruby', 'javascript', 'csharp', 'java', 'json', 'http', 'text'] as const;
export type CodeLanguage = (typeof languages)[number];

const kinds: Readonly<Record<string, TokenKind>> = {
  'token-keyword': 'keyword',
  'token-string': 'string',
  'token-string-expression': 'string',
  'token-function': 'name',
  'token-constant': 'number',
  'token-comment': 'comment',
};

const theme = createCssVariablesTheme({ name: 'roles', variablePrefix: '' });
const highlighter = await createHighlighter({ langs: [...languages], themes: [theme] });

/** Highlights code at build time, so that browsers do not have to. */
export function highlight(code: string, language: CodeLanguage): Code {
  const { tokens } = highlighter.codeToTokens(code.trimEnd(), { lang: language, theme: 'roles' });
  const pieces = tokens.flatMap((line, number) => [...(number > 0 ? [['\n'] as const] : []), ...line.map(tokenOf)]);
  return joined(pieces);
}

function tokenOf({ content, color = '' }: ThemedToken): Token {
  const kind = kinds[color.replace(/^var\(|\)$/g, '')];
  // Whitespace has no color.
  return kind && content.trim() !== '' ? [content, kind] : [content];
}

/** Joins adjacent tokens of the same kind. */
function joined(pieces: readonly Token[]): Code {
  const code: Token[] = [];
  for (const [text, kind] of pieces) {
    const last = code.at(-1);
    if (last && last[1] === kind) code.splice(-1, 1, kind ? [last[0] + text, kind] : [last[0] + text]);
    else code.push(kind ? [text, kind] : [text]);
  }
  return code;
}
