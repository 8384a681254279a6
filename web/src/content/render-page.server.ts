import { createCssVariablesTheme, createHighlighter, type ThemedToken } from 'shiki';
import { plainLanguages, type SampleLanguage, sampleLanguages } from '../paths.js';
import type { Code, Token, TokenKind } from '../ui/code.js';
import type {
  Block,
  Page,
  RenderedBlock,
  RenderedCode,
  RenderedPage,
  RenderedTabs,
  Sample,
  SampleTabs,
  Snippet,
} from './page.js';
import { callTitles, clientFiles, type SampleCall, sampleFiles } from './samples.js';
import { languages, type CodeLanguage } from './code-language.js';

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
  if (block.kind === 'languages') return renderTabs(block);
  if (block.kind !== 'exchange') return block;
  const { request, answers } = block;
  return {
    kind: 'exchange',
    request: request.kind === 'languages' ? renderTabs(request) : renderCode(request),
    answers: answers.map(renderCode),
  };
}

function renderTabs({ call }: SampleTabs): RenderedTabs {
  const programs = programsOf(call).map(({ language, code, text }) => ({ language, code: highlight(text, code) }));
  return { kind: 'languages', title: callTitles[call], programs };
}

function renderCode(piece: Snippet | Sample): RenderedCode {
  if (piece.kind === 'code') {
    return { kind: 'code', title: piece.title, code: highlight(piece.code, piece.language) };
  }
  const title = `${plainLanguages[piece.language]}: ${callTitles[piece.call]}`;
  return { kind: 'code', title, code: highlight(sampleText(piece), sampleFiles[piece.language].language) };
}

const files = import.meta.glob<string>('./samples/*/*', { query: '?raw', import: 'default', eager: true });

/** A program for a call; `code` is how it is highlighted. */
interface Program {
  readonly language: SampleLanguage;
  readonly code: CodeLanguage;
  readonly text: string;
}

/** The programs for a call, in the order of tabs: with our client, or without a package. */
export function programsOf(call: SampleCall): readonly Program[] {
  return (Object.keys(sampleLanguages) as SampleLanguage[]).flatMap((language) => {
    const plain: Readonly<Partial<Record<SampleLanguage, { name: string; language: CodeLanguage }>>> = sampleFiles;
    const file = [clientFiles[language], plain[language]].find(
      (one) => one && `./samples/${call}/${one.name}` in files,
    );
    return file ? [{ language, code: file.language, text: files[`./samples/${call}/${file.name}`] ?? '' }] : [];
  });
}

/** Reads a program that needs no package from its file. */
export function sampleText({ call, language }: Pick<Sample, 'call' | 'language'>): string {
  const text = files[`./samples/${call}/${sampleFiles[language].name}`];
  if (text === undefined) throw new Error(`There is no sample of ${call} for ${language}`);
  return text;
}

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
