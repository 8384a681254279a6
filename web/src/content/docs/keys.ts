import { errorCatalogue } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import { apiCallPath, paths } from '../../paths.js';
import { accepted, exposure, refusal, shown } from '../answers.js';
import { code, exchange, inEveryLanguage, list, note, type Page, table } from '../page.js';

export const keys: Page = {
  path: paths.keys,
  title: 'Named keys and budgets',
  description: 'Give each program its own key, with scopes, networks, countries, budgets, a rate and an expiry.',
  intro: [
    `Your first key may do everything. In the [dashboard](${paths.dashboardKey}) you create up to ` +
      `${limits.namedKeysMax} more, one for each program or person, each with a name and limits of its ` +
      'own. A key that leaks can then do little, and you revoke it without touching the others.',
  ],
  sections: [
    {
      title: 'Create a key',
      blocks: [
        list(
          `A live key begins with \`pt_live_\`. A [test key](${paths.testing}) begins with ` +
            `\`pt_test_\`, and cannot send anything.`,
          'The secret is shown once and stored as a hash. Store it where the program reads it, for instance in an ' +
            'environment variable.',
          'The dashboard shows when and from which address each key was last used.',
          `A new secret can leave the old one working for up to ${limits.oldKeyHoursMax} hours, ` +
            'within the same limits, so that you can update your programs one by one.',
        ),
        'It is used like your first key:',
        exchange(inEveryLanguage('send-sms'), code('Response, HTTP 200', 'json', shown(accepted))),
      ],
    },
    {
      title: 'Limits of a key',
      blocks: [
        table(
          ['Limit', 'Beyond it'],
          [
            ['Scope `send`: `sendsms`, `sendbulk`, their `quote`, cancel', '403 `key_scope`'],
            ['Scope `otp`: one-time passwords and their `quote`, authenticator apps', '403 `key_scope`'],
            ['Scope `read`: messages, files, batches, opt-outs, figures, live events, balance', '403 `key_scope`'],
            ['Scope `webhooks`: test events, `POST /api/events`', '403 `key_scope`'],
            ['Scope `numbers`: search, buy, change and release numbers, pools', '403 `key_scope`'],
            [`Up to ${limits.keyAddressesMax} network addresses, single or as CIDR ranges`, '403 `key_address`'],
            ['Countries', '403 `key_country`'],
            ['Credits per day and per month', '429 `key_budget`, with `Retry-After`'],
            ['Messages per second, below the limit of your account', '429 `rate_limited`'],
            ['Expiry', '401 `key_expired`'],
          ],
        ),
        'A key for a program that only sends cannot read your balance:',
        exchange(
          inEveryLanguage('balance'),
          code(
            `Without the scope read, HTTP ${errorCatalogue.key_scope.status}`,
            'json',
            shown(
              refusal(
                'key_scope',
                'This call needs the scope "read"; this API key has "send" and "otp". Add the scope in the dashboard ' +
                  'under API Keys, or use another key.',
              ),
            ),
          ),
        ),
      ],
    },
    {
      title: 'Budgets',
      blocks: [
        'A budget is the number of credits that a key may spend per day, per month, or both, in New ' +
          'York time. It counts what is charged for messages and one-time passwords of this key, and the first ' +
          'month of numbers that it buys, and is never exceeded, however many requests arrive at once. Then:',
        code(
          `HTTP ${errorCatalogue.key_budget.status}, with Retry-After`,
          'json',
          shown(
            refusal('key_budget', 'This message would exceed the daily budget of this API key. You were not charged.'),
          ),
        ),
        list(
          '`Retry-After` is the number of seconds until the budget starts again.',
          'Credits that are refunded return to your balance, not to the budget. Replies do not count.',
          'A bulk that costs more than what is left is rejected as a whole; with `partial`, what fits is sent.',
        ),
        note(`A budget stops a key. To be informed before your balance ends, use [alerts](${paths.topUp}#alerts).`),
      ],
    },
    {
      title: 'If keys leak',
      blocks: [
        `[\`GET /api/exposure\`](${apiCallPath('exposure')}) computes the most credits that could be spent before ` +
          'you notice if all your keys leaked now, and which single change lowers it most. The API Keys page ' +
          'shows the same.',
        code('The exposure, HTTP 200', 'json', shown(exposure)),
        list(
          'It assumes that you notice within 24 hours, which touch two New York days, with the daily limit and the ' +
            'budgets of each.',
          'It counts your balance, the top-ups that may follow within that time, budgets and countries of the keys, ' +
            'and messages of ten segments to your dearest country.',
          `It counts the numbers that your account’s own key and keys with the scope \`numbers\` can buy: up to ` +
            `${limits.numberPurchasesPerDayMax} a day, after your first paid purchase.`,
          `It counts replies, which no budget and no daily limit stops: up to ${limits.chargedRepliesPerHourMax} an ` +
            'hour of each person who got a message. A key can ask for replies itself (`replyWebhookUrl`, a stream ' +
            'of events, or a number), so they count without a webhook too, except for a key that only sends ' +
            'one-time passwords while you have no number.',
          'Texts of people whom you texted before, and of others who write to your own numbers, are not counted.',
          'What scheduled messages cost is not counted, nor their places of the day: with a key one can cancel them ' +
            'and spend the refund. Nor are credits that a purchase under way holds.',
        ),
        note(
          `[Alerts](${paths.topUp}#alerts) do not lower the figure, because a bulk can be spent before an email ` +
            'arrives. They tell you of a leak sooner.',
        ),
      ],
    },
  ],
};
