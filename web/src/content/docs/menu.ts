import { paths, plainLanguages } from '../../paths.js';
import type { Page } from '../page.js';
import { languagesOfSamples } from '../samples.js';
import { apiCalls, apiEvents, apiReference } from './api-reference.server.js';
import { bulk } from './bulk.js';
import { cli } from './cli.js';
import { clients } from './clients.js';
import { connectPages } from './connect.js';
import { deliveryErrorGroups, deliveryErrorsPage } from './delivery-errors.js';
import { errors } from './errors.js';
import { events } from './events.js';
import { idempotency } from './idempotency.js';
import { keys } from './keys.js';
import { media } from './media.js';
import { mcp } from './mcp.js';
import { messageStatus } from './message-status.js';
import { migrations, verifyLedger } from './migrating.server.js';
import { numbers } from './numbers.js';
import { otp } from './otp.js';
import { overview } from './overview.js';
import { prices } from './prices.js';
import { rateLimits } from './rate-limits.js';
import { receiving } from './receiving.js';
import { response } from './response.js';
import { scheduling } from './scheduling.js';
import { sdk } from './sdk.js';
import { serviceStatusPage } from './service-status.js';
import { sendSms, sendSmsIn } from './send-sms.js';
import { testing } from './testing.js';
import { totp } from './totp.js';
import { topUp } from './top-up.js';
import { webhooks } from './webhooks.js';

const samplePages = languagesOfSamples.map((language) => ({
  title: plainLanguages[language],
  page: sendSmsIn(language),
}));

export interface MenuItem {
  readonly title: string;
  readonly path: string;
  /** Nested entries. */
  readonly items?: readonly MenuItem[];
}

export interface MenuGroup {
  readonly title: string;
  readonly items: readonly MenuItem[];
}

const item = ({ title, path }: Page): MenuItem => ({ title, path });

/** Pages after the first group, which the product specification fixes. */
const groups: readonly (readonly [title: string, pages: readonly Page[]])[] = [
  [
    'Messages',
    [messageStatus, deliveryErrorsPage, ...deliveryErrorGroups, media, bulk, scheduling, otp, totp, numbers],
  ],
  ['Connect', connectPages],
  ['Credits and keys', [prices, topUp, keys, verifyLedger]],
  ['Production', [errors, idempotency, rateLimits, webhooks, events, serviceStatusPage]],
  ['Tools and migration', [clients, sdk, cli, mcp, ...migrations]],
];

export const docsMenu: readonly MenuGroup[] = [
  {
    title: 'Get started',
    items: [
      { title: 'Overview', path: paths.docs },
      item(sendSms),
      {
        title: 'Send an SMS',
        path: paths.sendSms,
        items: samplePages.map(({ title, page }) => ({ title, path: page.path })),
      },
      item(response),
      item(testing),
      item(receiving),
      { title: 'Supported Regions', path: paths.regions },
    ],
  },
  ...groups.map(([title, pages]) => ({ title, items: pages.map(item) })),
  {
    title: 'Reference',
    items: [
      item(apiReference),
      { title: 'Calls', path: paths.apiReference, items: apiCalls.map(item) },
      { title: 'Events', path: paths.apiReference, items: apiEvents.map(item) },
    ],
  },
];

/** Every documentation page in menu order. */
export const docsPages: readonly Page[] = [
  overview,
  sendSms,
  ...samplePages.map(({ page }) => page),
  response,
  testing,
  receiving,
  ...groups.flatMap(([, pages]) => pages),
  apiReference,
  ...apiCalls,
  ...apiEvents,
];
