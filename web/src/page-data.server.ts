import { type Region, regions } from '#contract/regions.js';
import { builtSince, aboutUs, legalWords, roadmap } from './content/about.js';
import { docsMenu, docsPages } from './content/docs/menu.js';
import { questions } from './content/faq.js';
import { privacy, terms } from './content/legal.js';
import type { Page, RenderedPage } from './content/page.js';
import { packs } from '#contract/packs.js';
import { localRent, mmsCredits, tollFreeRent } from './content/facts.js';
import { cardPayments, leastDollars, messagePrices, priceCards, pricingLead } from './content/pricing.js';
import { highlight, renderPage } from './content/render-page.server.js';
import curl from './content/samples/send-sms/curl.sh?raw';
import javascript from './content/samples/send-sms/javascript.js?raw';
import nodejs from './content/samples/send-sms/nodejs.mjs?raw';
import python from './content/samples/send-sms/python.py?raw';
import ruby from './content/samples/send-sms/ruby.rb?raw';
import type { HomeSample } from './features/home/typed-sample.js';
import { paths } from './paths.js';

// Texts and samples of pages: computed at build time, so that browsers load neither the texts of
// other pages nor a highlighter. A page reads its data by `usePageData`.

/** The samples typed on the home page, in picker order. */
const homeSamples: readonly [HomeSample, ...HomeSample[]] = [
  { language: 'python', code: highlight(python, 'python') },
  { language: 'curl', code: highlight(curl, 'bash') },
  { language: 'ruby', code: highlight(ruby, 'ruby') },
  { language: 'nodejs', code: highlight(nodejs, 'javascript') },
  { language: 'javascript', code: highlight(javascript, 'javascript') },
];

const homeData = {
  samples: homeSamples,
  countries: regions
    .filter(({ active }) => active)
    .map(({ country, iso2, creditsPerSms }): Pick<Region, 'country' | 'iso2' | 'creditsPerSms'> => ({
      country,
      iso2,
      creditsPerSms,
    })),
  leastDollars,
};
export type HomeData = typeof homeData;

const pricingData = {
  cardPayments,
  priceCards,
  pricingLead,
  mmsPrice: mmsCredits,
  numberRents: { local: localRent, tollFree: tollFreeRent },
  prices: messagePrices,
  packs: [...packs],
};
export type PricingData = typeof pricingData;

const aboutData = { aboutUs, builtSince, legalWords, roadmap };
export type AboutData = typeof aboutData;

export type FaqData = typeof questions;

type PageTitle = Pick<Page, 'path' | 'title'>;

/** A documentation page between its neighbors. */
export interface DocsData {
  readonly menu: typeof docsMenu;
  readonly page: RenderedPage;
  readonly previous?: PageTitle | undefined;
  readonly next?: PageTitle | undefined;
}

const titleOf = (page: Page | undefined): PageTitle | undefined => page && { path: page.path, title: page.title };

const docsData = docsPages.map((page, place): readonly [string, DocsData] => [
  page.path,
  {
    menu: docsMenu,
    page: renderPage(page),
    previous: titleOf(docsPages[place - 1]),
    next: titleOf(docsPages[place + 1]),
  },
]);

/** The data of pages that have data, by path. */
export const pageData: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [paths.home, homeData],
  [paths.pricing, pricingData],
  [paths.about, aboutData],
  [paths.faq, questions],
  [paths.privacy, renderPage(privacy)],
  [paths.tos, renderPage(terms)],
  ...docsData,
]);
