import { createCssVariablesTheme, createHighlighter, type ThemedToken } from 'shiki';
import { sampleLanguages } from '../paths.js';
import type { Code, Token, TokenKind } from '../ui/code.js';
import type { Block, Page, RenderedBlock, RenderedCode, RenderedPage, Sample, Snippet } from './page.js';
import { callTitles, otherLanguages, sampleFiles } from './samples.js';

/** Prepares a page for the browser, which then needs neither the samples nor a highlighter. */
export function renderPage(page: Page): RenderedPage {
  return {
    ...page,
    intro: page.intro.map(renderBlock),
    sections: page.sections.map(({ title, blocks }) => ({ title, blocks: blocks.map(renderBlock) })),
  };
}

function renderBlock(block: Block): RenderedBlock {
  if (typeof block === 'string') return block;
  if (block.kind === 'code' || block.kind === 'sample') return renderCode(block);
  if (block.kind === 'languages') {
    const languages = otherLanguages.map((language) => ({
      title: sampleLanguages[language],
      programs: block.calls.map((call) => renderCode({ kind: 'sample', call, language })),
    }));
    return { kind: 'languages', languages };
  }
  if (block.kind !== 'exchange') return block;
  return {
    kind: 'exchange',
    request: renderCode(block.request),
    answers: block.answers.map(renderCode),
  };
}

function renderCode(piece: Snippet | Sample): RenderedCode {
  if (piece.kind === 'code') {
    return { kind: 'code', title: piece.title, code: highlight(piece.code, piece.language) };
  }
  const title = `${sampleLanguages[piece.language]}: ${callTitles[piece.call]}`;
  return { kind: 'code', title, code: highlight(sampleText(piece), sampleFiles[piece.language].language) };
}

const files = import.meta.glob<string>('./samples/*/*', { query: '?raw', import: 'default', eager: true });

/** Reads the program from its file. */
export function sampleText({ call, language }: Pick<Sample, 'call' | 'language'>): string {
  const text = files[`./samples/${call}/${sampleFiles[language].name}`];
  if (text === undefined) throw new Error(`There is no sample of ${call} for ${language}`);
  return text;
}

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
