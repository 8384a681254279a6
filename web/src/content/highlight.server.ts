import { createCssVariablesTheme, createHighlighter, type ThemedToken } from 'shiki';
import type { Code, Token, TokenKind } from '../ui/code.js';

/** Languages that code is shown in. */
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

/** Colours code while pages are built, so that no browser has to. */
export function highlight(code: string, language: CodeLanguage): Code {
  const { tokens } = highlighter.codeToTokens(code.trimEnd(), { lang: language, theme: 'roles' });
  return tokens.flatMap((line, number) => [...(number > 0 ? [['\n'] as const] : []), ...line.map(tokenOf)]);
}

function tokenOf({ content, color = '' }: ThemedToken): Token {
  const kind = kinds[color.replace(/^var\(--|\)$/g, '')];
  return kind ? [content, kind] : [content];
}
