import { errorCatalogue } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { refusal, shown } from '../answers.js';
import { contactLink } from '../company.js';
import { bodyKibibytes, count, dailyLimit } from '../facts.js';
import { code, list, type Page, table } from '../page.js';

export const rateLimits: Page = {
  path: paths.rateLimits,
  title: 'Limits',
  description: 'Requests per second, messages per day, and the other limits of the API.',
  intro: ['The API has limits, and every response shows how close you are to them.'],
  sections: [
    {
      title: 'Requests per second',
      blocks: [
        `Unless agreed otherwise: ${count(limits.keyRequestsPerSecondDefault)} requests per second ` +
          `with one API key, and ${count(limits.addressRequestsPerSecondDefault)} from one IP address, malformed ` +
          'ones included. Every response to a request with a key shows where you stand:',
        table(
          ['Header', 'Meaning'],
          [
            ['`RateLimit-Limit`', 'Requests your key may make per second.'],
            ['`RateLimit-Remaining`', 'How many are left in this second.'],
            ['`RateLimit-Reset`', 'Seconds until the count resets.'],
          ],
        ),
        code(
          `HTTP ${errorCatalogue.rate_limited.status}, with Retry-After: 1`,
          'json',
          shown(refusal('rate_limited', 'Too many requests in this second. You were not charged.')),
        ),
      ],
    },
    {
      title: 'Requests at the same time',
      blocks: [
        'Messages, one-time passwords and their verifications are limited by the second alone. Of other ' +
          'requests, an account makes one change at a time (`POST`, `PUT`, `PATCH`, `DELETE`) while 16 ' +
          'wait, and 100 reads wait for its others. A further one gets 429 `rate_limited`, and nothing was ' +
          'done.',
        `An account has one bulk or quote of a bulk in progress, and two that wait. Bulks that are priced ` +
          `and not sent may have ${count(limits.bulkWorkPerMinuteMax)} characters a minute, each text ` +
          `counted as at least ${limits.bulkTextWorkMin}; ${count(limits.unpaidBulkWorkPerMinuteMax)} ` +
          'before your first purchase, unless your credits could pay for them.',
      ],
    },
    {
      title: 'Messages per day',
      blocks: [
        `A new account may send ${dailyLimit} messages a day. The day begins at midnight in New York. ` +
          'One-time passwords count; replies you receive do not.',
        'Beyond that, requests fail with 429 `daily_limit`; `Retry-After` has the seconds until the ' +
          'next day. A message accepted just before the limit was reached ends as `failed` with the ' +
          'error `daily_limit`, and its credits are refunded.',
        `To have the limit raised, write to ${contactLink} and tell us what you send.`,
      ],
    },
    {
      title: 'Limits of a key',
      blocks: [
        'Keys that you create in the dashboard have limits of their own, such as a budget and a rate: ' +
          `[named keys and budgets](${paths.keys}).`,
      ],
    },
    {
      title: 'Countries',
      blocks: [
        `Messages go to all [active regions](${paths.regions}), unless you switch countries off in ` +
          `your [account settings](${paths.dashboardAccount}): then \`sendsms\`, \`sendbulk\`, ` +
          `\`quote\` and \`sendotp\` refuse their numbers with 403 \`country_disabled\`, and nothing is ` +
          'charged. A change takes effect with the next request; messages that were accepted before are still sent. ' +
          'If you write to a few countries only, ' +
          'it keeps others from spending your credits on expensive ones.',
      ],
    },
    {
      title: 'Sizes',
      blocks: [
        list(
          `A message: ${limits.messageSegmentsMax} [segments](${paths.sendSms}#segments).`,
          `The files of a message: ${limits.messageMediaMax}, of ${count(limits.messageMediaBytesMax)} bytes ` +
            `together. [What networks take of them](${paths.media}#sizes).`,
          `The files that an account stores within 24 hours: ${count(limits.mediaPerDayMax)}, of ` +
            `${limits.mediaBytesPerDayMax / 1_048_576} MiB together. Those in URLs of messages count.`,
          `A request's body: ${bodyKibibytes} KiB, and ${limits.bulkBodyBytesMax / 1_048_576} MiB for a bulk or ` +
            'its quote. Send the key of a long body as `Authorization: Bearer`, so that it is checked before the ' +
            'body is transferred. With the key in the body, an address has at most 2 bodies over ' +
            `${bodyKibibytes} KiB under way, and each needs a \`Content-Length\`.`,
          `A \`reference\`: ${limits.referenceCharactersMax} characters.`,
          `An \`Idempotency-Key\`: ${limits.idempotencyKeyCharactersMax} characters, remembered for ` +
            `${limits.idempotencyHours} hours.`,
          `A page of \`GET /api/messages\`: ${limits.messagesPageSize} messages.`,
        ),
      ],
    },
  ],
};
