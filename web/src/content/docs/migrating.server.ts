import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { type Block, code, list, type Markup, type Page, type Snippet, table } from '../page.js';

const languages: Readonly<Record<string, Snippet['language']>> = { js: 'javascript', sh: 'bash', json: 'json' };

/** Pages of this site in place of the repository's files. */
const linked: Readonly<Record<string, string>> = {
  '../web/src/content/docs/webhooks.ts': paths.webhooks,
  '../web/src/content/docs/events.ts': paths.events,
  '../web/src/content/docs/media.ts': paths.media,
  '../web/src/content/docs/errors.ts': paths.errors,
  'ledger.md': paths.verifyLedger,
};

/** These pages are documents of the repository, so that their text exists once. */
export const migrations: readonly Page[] = [
  migrationPage('migrating-from-twilio.md', {
    path: paths.migratingFromTwilio,
    description: 'Keep the code that you wrote for Twilio’s SDK: parameters, answers, errors and status callbacks.',
  }),
  migrationPage('migrating-from-textbelt.md', {
    path: paths.migratingFromTextbelt,
    description: 'Keep the code that you wrote for Textbelt: parameters, answers, errors and replies.',
  }),
];

/** Omits the section for operators, and shows the program in place of a link to it. */
export const verifyLedger: Page = verifyLedgerPage();

function verifyLedgerPage(): Page {
  const [text = ''] = documentText('ledger.md').split(/^## For operators$/m);
  const { sections, intro } = parsePage(
    text
      .replaceAll('https://sms.example.com', site.url)
      .replace('[samples/verify-ledger.mjs](samples/verify-ledger.mjs)', '[the one below](#without-our-program)'),
  );
  const program = documentText('samples/verify-ledger.mjs');
  return {
    path: paths.verifyLedger,
    title: 'Verify your ledger',
    description: 'Prove with your own export that no entry of your credits was changed, removed or inserted.',
    intro,
    sections: [
      ...sections,
      {
        title: 'Without our program',
        blocks: [
          'Save this as `verify-ledger.mjs` and run `node verify-ledger.mjs ledger.jsonl keys.json`, ' +
            'with the keys that you have fetched yourself. It needs Node 20 and nothing else.',
          code('verify-ledger.mjs', 'javascript', program),
        ],
      },
    ],
  };
}

function migrationPage(file: string, about: Pick<Page, 'path' | 'description'>): Page {
  return { ...about, ...parsePage(documentText(file)) };
}

/** The build runs in `web/`, tests in the repository. */
function documentText(file: string): string {
  const path = ['docs', '../docs'].map((folder) => join(process.cwd(), folder, file)).find(existsSync);
  if (path === undefined) throw new Error(`There is no docs/${file}`);
  return readFileSync(path, 'utf8');
}

/**
 * Parses the Markdown of our documents: one title, sections, paragraphs, lists, tables and code.
 * Throws on anything else.
 */
export function parsePage(text: string): Pick<Page, 'title' | 'intro' | 'sections'> {
  const [head = '', ...parts] = text.split(/^## /m);
  const [first = '', ...intro] = head.split('\n');
  if (!first.startsWith('# ')) throw new Error('The first line must be the title');
  return {
    title: first.slice(2),
    intro: blocksOf(intro.join('\n'), first.slice(2)),
    sections: parts.map((part) => {
      const [title = '', ...lines] = part.split('\n');
      return { title, blocks: blocksOf(lines.join('\n'), title) };
    }),
  };
}

/** Blocks are separated by empty lines, except within code. */
function blocksOf(text: string, title: string): Block[] {
  return text.split(/(^```[a-z]+\n[^]*?^```$)/m).flatMap((part) => {
    const [, language, program = ''] = /^```([a-z]+)\n([^]*)^```$/m.exec(part) ?? [];
    if (language !== undefined) return [codeBlock(title, language, program)];
    return part
      .split(/\n{2,}/)
      .map((block) => block.trim())
      .filter((block) => block !== '')
      .map(textBlock);
  });
}

function codeBlock(title: string, language: string, program: string): Block {
  const known = languages[language];
  if (known === undefined) throw new Error(`Code in ${language} is not supported`);
  return code(title, known, program);
}

function textBlock(text: string): Block {
  if (text.startsWith('#')) throw new Error(`A heading within a section: ${text}`);
  if (text.startsWith('- ')) return list(...text.split(/^- /m).slice(1).map(markupOf));
  if (!text.startsWith('|')) return markupOf(text);
  const [head = [], , ...rows] = text.split('\n').map(cellsOf);
  return table(head, rows);
}

function cellsOf(row: string): Markup[] {
  return row.split('|').slice(1, -1).map(markupOf);
}

/** Joins a text to one line, with links to this site's pages. */
function markupOf(text: string): Markup {
  const line = text.trim().replace(/\s*\n\s*/g, ' ');
  return line.replace(/\[([^\]]+)\]\(([./a-z-]+\.(?:md|ts))\)/g, (_link, words: string, file: string) => {
    const path = linked[file];
    if (path === undefined) throw new Error(`No page for ${file}`);
    return `[${words}](${path})`;
  });
}
