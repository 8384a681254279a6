import { plugProducts } from '#contract/plug-products.js';
import { publicPaths } from '../../build/pages.js';
import { connectPath, createKeyPath, paths } from '../paths.js';
import { site } from '../site.js';
import { builtSince, aboutUs, legalWords } from './about.js';
import { docsPages } from './docs/menu.js';
import { questions } from './faq.js';
import { anchorOf, type Block, type Page } from './page.js';
import { cardPayments, priceCards, pricingLead } from './pricing.js';
import { privacy, terms } from './legal.js';

const pages: readonly Page[] = [...docsPages, privacy, terms];

const blocksOf = ({ intro, sections }: Page): readonly Block[] => [
  ...intro,
  ...sections.flatMap(({ blocks }) => blocks),
];

function wordsOf(block: Block): readonly string[] {
  if (typeof block === 'string') return [block];
  switch (block.kind) {
    case 'list':
    case 'steps':
      return block.items;
    case 'note':
      return [block.text];
    case 'table':
      return block.rows.flat();
    case 'entries':
      return block.entries.flatMap(({ text }) => text);
    case 'code':
    case 'sample':
    case 'exchange':
    case 'languages':
      return [];
  }
}

const anchorsOf = (page: Page): readonly string[] => [
  ...page.sections.map(({ title }) => anchorOf(title)),
  ...blocksOf(page).flatMap((block) =>
    typeof block !== 'string' && block.kind === 'entries' ? block.entries.map(({ name }) => name) : [],
  ),
];

const linksIn = (words: readonly string[]) =>
  words.flatMap((text) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to));

const otherWords = [
  ...aboutUs,
  builtSince,
  legalWords,
  cardPayments,
  pricingLead,
  ...priceCards.flatMap(({ words }) => words),
  ...questions.flatMap(({ answer }) => answer),
];

/** Allowed link targets other than public pages. */
const elsewhere: readonly string[] = [
  paths.dashboard,
  paths.dashboardBulk,
  paths.dashboardConversations,
  paths.dashboardKey,
  createKeyPath,
  paths.dashboardOptOuts,
  paths.dashboardOtp,
  paths.dashboardNumbers,
  paths.dashboardRequests,
  paths.dashboardConnect,
  ...plugProducts.map(connectPath),
  paths.dashboardAccount,
  paths.dashboardPurchase,
  paths.llmsText,
  paths.statusFeed,
  paths.openApi,
  `mailto:${site.contact}`,
  'https://www.standardwebhooks.com',
  'https://wicg.github.io/sms-one-time-codes/',
  'https://supabase.com/docs/guides/auth/auth-hooks/send-sms-hook',
  'https://auth0.com/docs/customize/phone-messages/configure-phone-messaging-providers/configure-a-custom-phone-provider',
  'https://docs.logto.io/integrations/http-sms',
  'https://zitadel.com/docs/guides/manage/customize/notification-providers',
  'https://docs.goauthentik.io/add-secure-apps/flows-stages/stages/authenticator_sms',
  'https://www.ory.sh/docs/kratos/emails-sms/sending-sms',
  'https://docs.novu.co/platform/integrations/sms/sms-webhook',
  ...[7517, 7638, 8032].map((number) => `https://www.rfc-editor.org/rfc/rfc${number}`),
];

const links = new Set(linksIn([...otherWords, ...pages.flatMap((page) => blocksOf(page).flatMap(wordsOf))]));

describe('links', () => {
  it.each([...links])('%s leads to an existing target', (link) => {
    const [path = '', anchor] = link.split('#');
    if (path !== '') expect([...publicPaths, ...elsewhere]).toContain(path);
    if (anchor === undefined) return;
    // A link within its own page has no path.
    const targets = pages.filter((page) => path === '' || page.path === path);
    expect(targets.flatMap(anchorsOf)).toContain(anchor);
  });
});

describe.each(pages.map((page) => [page.path, page] as const))('%s', (path, page) => {
  it('is a public page with a unique title and description', () => {
    expect(publicPaths).toContain(path);
    expect(page.title).not.toBe('');
    expect(page.description.length).toBeGreaterThan(50);
    expect(page.description.length).toBeLessThan(160);
    for (const key of ['path', 'title', 'description'] as const)
      expect(pages.filter((other) => other[key] === page[key])).toEqual([page]);
  });

  it('has unique headings, so that every anchor is unambiguous', () => {
    const anchors = anchorsOf(page);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(anchors).not.toContain('');
  });

  it('has no exclamation marks', () => {
    expect(
      blocksOf(page)
        .flatMap(wordsOf)
        .filter((text) => text.includes('!')),
    ).toEqual([]);
  });
});
