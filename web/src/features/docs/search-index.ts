import MiniSearch from 'minisearch';
import { regions } from '#contract/regions.js';
import { docsPages } from '../../content/docs/menu.js';
import { questions } from '../../content/faq.js';
import { anchorOf, type Block, type Page } from '../../content/page.js';
import { paths } from '../../paths.js';
import type { SearchFile } from '../site/docs-index.js';

/** A section that the search can find. */
interface Found {
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}
/** An indexed section; `keywords` are other words for its subject. */
type Record = Found & { readonly id: number; readonly code: string; readonly keywords: string };

/** The text of /docs/search.json, made at build time. */
export function searchIndex(): string {
  const fields = ['heading', 'page', 'keywords', 'text', 'code'];
  const options = { fields, storeFields: ['path', 'page', 'heading', 'text'] };
  const index = new MiniSearch<Record>(options);
  index.addAll(records().map((record, id) => ({ ...record, id })));
  return JSON.stringify({ options, index: index.toJSON() } satisfies SearchFile);
}

function records(): Omit<Record, 'id'>[] {
  const sections = docsPages.flatMap((page) => [
    {
      ...recordOf(page, page.title, page.path, [page.description, ...page.intro]),
      keywords: (page.keywords ?? []).join(' '),
    },
    ...page.sections.map(({ title, blocks }) => recordOf(page, title, `${page.path}#${anchorOf(title)}`, blocks)),
    ...page.sections
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (typeof block !== 'string' && block.kind === 'entries' ? block.entries : []))
      .map(({ name, text }) => recordOf(page, name, `${page.path}#${name}`, text)),
  ]);
  const answers = questions.map(({ question, answer }) => ({
    path: paths.faq,
    page: 'FAQ',
    heading: question,
    text: plain(answer.join(' ')),
    code: '',
    keywords: '',
  }));
  // The whole table, because the operator decides which countries are active.
  const countries = regions.map(({ country, areaCode }) => `${country} ${areaCode}`);
  const title = 'Supported Regions';
  return [
    ...sections,
    ...answers,
    { path: paths.regions, page: title, heading: title, text: countries.join(', '), code: '', keywords: '' },
  ];
}

function recordOf({ title }: Page, heading: string, path: string, blocks: readonly Block[]): Omit<Record, 'id'> {
  return {
    path,
    page: title,
    heading,
    text: plain(blocks.flatMap(wordsOf).join(' ')),
    code: blocks.map(codeOf).join(' '),
    keywords: '',
  };
}

function wordsOf(block: Block): readonly string[] {
  if (typeof block === 'string') return [block];
  switch (block.kind) {
    case 'list':
    case 'steps':
      return block.items;
    case 'note':
      return [block.text];
    case 'table':
      return block.rows.map((row) => `${row.join(' – ').replace(/\.$/, '')}.`);
    case 'code':
    case 'sample':
    case 'languages':
    case 'exchange':
    case 'entries':
      return [];
  }
}

function codeOf(block: Block): string {
  if (typeof block === 'string') return '';
  if (block.kind === 'code') return block.code;
  return block.kind === 'exchange' ? [block.request, ...block.answers].map(codeOf).join(' ') : '';
}

/** Inline Markdown without its marks. */
function plain(markup: string): string {
  return markup.replace(/\[((?:[^\]`]|`[^`]*`)+)\]\([^)]+\)/g, '$1').replace(/\*\*|`/g, '');
}
