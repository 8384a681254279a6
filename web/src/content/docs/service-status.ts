import { limits } from '#contract/limits.js';
import { quality, serviceStatus } from '#contract/examples.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { shown } from '../answers.js';
import { count } from '../facts.js';
import { code, exchange, list, type Page } from '../page.js';

export const serviceStatusPage: Page = {
  path: paths.serviceStatus,
  title: 'Status and delivery quality',
  description:
    'Read the status of the service, its history and its incidents, subscribe to changes, and see how fast messages ' +
    'are delivered to each country.',
  intro: [`The page [Status](${paths.status}) shows what works right now. Programs read the same, without an API key.`],
  sections: [
    {
      title: 'Status and history',
      blocks: [
        exchange(
          code('Curl: The status', 'bash', `curl ${site.url}/api/status`),
          code('Response, HTTP 200', 'json', shown(serviceStatus)),
        ),
        list(
          '`components` is the state now: `operational`, `degraded`, `outage`, or `unknown` if it was not measured ' +
            'within five minutes. A state changes once it was measured twice in a row.',
          `\`history\` has the last ${limits.statusDays} days in UTC, shortened here. \`available_percent\` is the ` +
            'share of the measured time without an outage. Time that was not measured counts neither way.',
          `\`incidents\` are those of the last ${limits.statusDays} days; \`ended_at\` is \`null\` while one lasts.`,
        ),
      ],
    },
    {
      title: 'Subscribe to changes',
      blocks: [
        `The feed [${site.url}${paths.statusFeed}](${paths.statusFeed}) (Atom) has an entry when an incident begins ` +
          'and one when it ends. Feed readers, chat tools and mail services can follow it.',
      ],
    },
    {
      title: 'Delivery quality',
      blocks: [
        exchange(
          code('Curl: The delivery quality', 'bash', `curl ${site.url}/api/quality`),
          code('The quality, HTTP 200', 'json', shown(quality)),
        ),
        list(
          `Shares and times by country and UTC day, over all accounts, for ${limits.qualityDays} days. ` +
            'Times run from acceptance, or from `send_at`, to delivery.',
          `A country and day is shown with at least ${limits.qualityAccountsMin} accounts or ` +
            `${count(limits.qualityMessagesMin)} messages, to protect our customers. Until then \`quality\` is empty.`,
        ),
      ],
    },
  ],
};
