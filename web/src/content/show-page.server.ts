import { sampleLanguages } from '../paths.js';
import { highlight } from './highlight.server.js';
import type { Block, Page, Sample, Snippet } from './page.js';
import { sampleText } from './sample-text.server.js';
import { otherLanguages, callTitles, sampleFiles } from './samples.js';
import type { ShownBlock, ShownCode, ShownPage } from './shown-page.js';

/** Makes a page ready for the browser, which so needs neither the samples nor anything that colours code. */
export function showPage(page: Page): ShownPage {
  return {
    ...page,
    intro: page.intro.map(showBlock),
    sections: page.sections.map(({ title, blocks }) => ({ title, blocks: blocks.map(showBlock) })),
  };
}

function showBlock(block: Block): ShownBlock {
  if (typeof block === 'string') return block;
  if (block.kind === 'code' || block.kind === 'sample') return showCode(block);
  if (block.kind === 'languages') {
    const languages = otherLanguages.map((language) => ({
      title: sampleLanguages[language],
      programs: block.calls.map((call) => showCode({ kind: 'sample', call, language })),
    }));
    return { kind: 'languages', languages };
  }
  if (block.kind !== 'exchange') return block;
  return {
    kind: 'exchange',
    request: showCode(block.request),
    answers: block.answers.map(showCode),
  };
}

function showCode(piece: Snippet | Sample): ShownCode {
  if (piece.kind === 'code') {
    return { kind: 'code', title: piece.title, code: highlight(piece.code, piece.language) };
  }
  const title = `${sampleLanguages[piece.language]}: ${callTitles[piece.call]}`;
  return { kind: 'code', title, code: highlight(sampleText(piece), sampleFiles[piece.language].language) };
}
