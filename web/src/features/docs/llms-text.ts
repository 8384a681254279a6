import { regions } from '#contract/regions.js';
import { docsPages } from '../../content/docs/menu.js';
import { freeCredits } from '../../content/facts.js';
import { questions } from '../../content/faq.js';
import type { Block, Page, Sample, Snippet } from '../../content/page.js';
import { cardPayments, priceCards } from '../../content/pricing.js';
import { programsOf, sampleText } from '../../content/render-page.server.js';
import { callTitles, sampleFiles } from '../../content/samples.js';
import { apiCallPath, paths, type SampleLanguage, sampleLanguages } from '../../paths.js';
import { site } from '../../site.js';

/** Languages of the programs in the text: all of them would make it twice as long. */
const readLanguages: readonly SampleLanguage[] = ['curl', 'typescript', 'python'];

/**
 * The documentation in one file (https://llmstxt.org): a summary, links, then every page as
 * Markdown.
 */
export function llmsText(): string {
  const links = docsPages.map(({ title, path, description }) => `- [${title}](${site.url}${path}): ${description}`);
  return [
    '# Pennytext',
    '> Send and receive SMS with one HTTP POST. Messages are paid with credits; there is no subscription.',
    ['## Pages', ...links].join('\n\n').replaceAll('\n\n- ', '\n- ').replace('Pages\n-', 'Pages\n\n-'),
    ...docsPages.map(pageText),
    pricingText(),
    regionsText(),
    ['# Questions and answers', ...questions.flatMap(({ question, answer }) => [`## ${question}`, ...answer])].join(
      '\n\n',
    ),
  ]
    .join('\n\n')
    .replace(/\]\(\//g, `](${site.url}/`)
    .concat('\n');
}

function pageText({ title, intro, sections }: Page): string {
  const parts = sections.flatMap((section) => [`## ${section.title}`, ...section.blocks.map(blockText)]);
  return [`# ${title}`, ...intro.map(blockText), ...parts].join('\n\n');
}

function blockText(block: Block): string {
  if (typeof block === 'string') return block;
  switch (block.kind) {
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n');
    case 'steps':
      return block.items.map((item, index) => `${index + 1}. ${item}`).join('\n');
    case 'note':
      return `> ${block.text}`;
    case 'table':
      return tableText(block.head, block.rows);
    case 'entries':
      return block.entries.map(({ name, tag, text }) => `- \`${name}\` (${tag}): ${text.join(' ')}`).join('\n');
    case 'code':
    case 'sample':
      return codeText(block);
    case 'exchange':
      return [block.request, ...block.answers].map(blockText).join('\n\n');
    case 'languages':
      return programsOf(block.call)
        .filter(({ language }) => readLanguages.includes(language))
        .map(({ language, code, text }) =>
          fenced(`${sampleLanguages[language]}: ${callTitles[block.call]}`, code, text),
        )
        .join('\n\n');
  }
}

function codeText(piece: Snippet | Sample): string {
  const { title, language, text } =
    piece.kind === 'code'
      ? { title: piece.title, language: piece.language, text: piece.code }
      : {
          title: `${sampleLanguages[piece.language]}: ${callTitles[piece.call]}`,
          language: sampleFiles[piece.language].language,
          text: sampleText(piece),
        };
  return fenced(title, language, text);
}

const fenced = (title: string, language: string, text: string) =>
  `${title}:\n\n\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function pricingText(): string {
  const rows = priceCards.map(({ title, price, amount }) => [title, price, amount]);
  const lead =
    'You buy credits, and messages use them: segments times the credits of the country. No ' +
    `subscription. A new user gets ${freeCredits}, once per person.`;
  return ['# Pricing', lead, tableText(['Pack', 'Price', 'Credits'], rows), cardPayments].join('\n\n');
}

/** Omits facts that the operator can change: this file is written at build time. */
function regionsText(): string {
  const rows = regions.map(({ country, code, areaCode }) => [country, code, areaCode]);
  return [
    `# [Supported Regions](${paths.regions})`,
    'To which of these countries messages and one-time passwords are sent now, and at which price, is the ' +
      `answer of [GET ${site.url}/api/regions](${apiCallPath('regions')}), which needs no API key.`,
    tableText(['Country', 'Code', 'Area Code'], rows),
  ].join('\n\n');
}
