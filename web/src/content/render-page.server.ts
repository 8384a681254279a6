import { sampleLanguages } from '../paths.js';
import { highlight } from './highlight.server.js';
import type { Block, Page, Sample, RenderedBlock, RenderedCode, RenderedPage, Snippet } from './page.js';
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
