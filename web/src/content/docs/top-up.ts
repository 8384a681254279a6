import { limits } from '#contract/limits.js';
import type { NotificationCode } from '#contract/notifications.js';
import { apiCallPath, paths } from '../../paths.js';
import { balance, dailySpendEvent, lowCreditsEvent, shown } from '../answers.js';
import { count } from '../facts.js';
import { code, exchange, list, type Markup, note, type Page, inEveryLanguage, table } from '../page.js';

/** Cause of each notification, its `figures`, and when an email tells of it too. */
const attention: Readonly<Record<NotificationCode, readonly [when: Markup, figures: Markup, email: Markup]>> = {
  webhook_failing: [
    'Every call of the webhook has failed since `since`',
    `\`http_status\` or \`error\` of the last call, \`waiting\` webhooks (up to ${count(10_000)})`,
    `after ${limits.webhookFailingMailMinutes} minutes`,
  ],
  webhook_off: [
    'The webhook was turned off: 410, five days of failures, or by the operator',
    '`reason`, `waiting`',
    'at once, except by the operator',
  ],
  credits_empty: ['No credit can be spent', '`balance`, `frozen`', 'no'],
  credits_low: [
    'Fewer credits than the threshold of an alert, or than 3 days cost at the rate of the last 7 (else 30) days',
    '`available`, `threshold`, `days_left`',
    'with the alert',
  ],
  sending_suspended: [
    'Most recipients were not reached (`delivery_suspended`)',
    '`recipients`, `undelivered`',
    'at once',
  ],
  codes_paused: [
    'The fraud guard refuses one-time passwords, because too few were verified',
    '`blocks`, `block`, `country`, `sent`, `verified`, `refused`',
    'no',
  ],
  messages_filtered: [
    'At least 10 messages of today and yesterday, and a tenth of them, were filtered as spam (30007)',
    '`filtered`, `messages`, `error_code`',
    'no',
  ],
  number_past_due: [
    'The rent of a number is due and not covered',
    '`number_id`, `number`, `credits`, `releases_at`',
    `on days ${limits.numberNoticeDays.join(', ')}`,
  ],
  number_filtered: [
    'Carriers filter the messages of a number, so its pools leave it out',
    '`number_id`, `number`',
    'at once',
  ],
  key_budget: [
    'A key has spent four fifths of its budget of the day or month; `critical` once it is used up',
    '`key_id`, `name`, `period`, `budget`, `spent`',
    'no',
  ],
  payment_disputed: ['A payment is disputed', '`disputes`, `credits`, `frozen`', 'at once'],
  top_up_declined: [
    'The saved card was declined; it is tried again',
    '`card_last4`, `reason`, `retry_at`',
    'at the first decline',
  ],
  top_up_off: [
    'Automatic top-up was turned off after declines, or without the confirmation',
    '`reason`, `card_last4`',
    'at once',
  ],
  top_up_confirm: ['The bank asks for a confirmation', '`top_up`, `credits`, `card_last4`', 'at once'],
  top_up_paused: ['A dispute or a refund of spent credits pauses automatic top-up', '', 'with the dispute'],
  top_up_limit: [
    'The automatic top-ups of this month are used up, and the balance is low',
    '`per_month`, `threshold`',
    'once a month',
  ],
  account_deletion: ['The account is deleted at `delete_at`', '`delete_at`', 'at once'],
  welcome_email_failed: ['The welcome email could not be sent', '', ''],
};

export const topUp: Page = {
  path: paths.topUp,
  title: 'Automatic top-up and alerts',
  description: 'Never run out of credits: emails and webhooks about your balance and spending, and automatic top-ups.',
  intro: [
    `Messages are refused with [\`no_credits\`](${paths.errors}#no_credits) when your balance is used ` +
      'up. Alerts warn you in time, and automatic top-up buys the next pack for you. Alerts are on the ' +
      `page [Account](${paths.dashboardAccount}), top-up on [Purchase Credits](${paths.dashboardPurchase}). ` +
      'Both are off until you turn them on.',
  ],
  sections: [
    {
      title: 'Alerts',
      blocks: [
        list(
          'Low balance: an email when your balance falls below a number of credits. It is sent once, ' +
            `and again only after the balance has reached that number. \`${limits.lowCreditsDefault}\` ` +
            'is the default.',
          'Daily spend: an email when you have used a number of credits within a New York day, once a ' +
            'day. Credits that were refunded that day do not count.',
        ),
        `Your program receives the same alerts as [webhook events](${paths.webhooks}), if you subscribe to them:`,
        code('credits.low', 'json', shown(lowCreditsEvent)),
        code('credits.daily_spend', 'json', shown(dailySpendEvent)),
        note(`Alerts do not stop messages. To set a hard limit, give a key [a budget](${paths.keys}#budgets).`),
      ],
    },
    {
      title: 'Automatic top-up',
      blocks: [
        'Save a card, and choose a number of credits, a pack, and how many times a month it may be ' +
          `bought, 1 to ${limits.topUpsPerMonthMax}. When your balance is below the number, the card is ` +
          'charged and the credits are added, as with any purchase. The pack has at least as many ' +
          'credits as the number, so that one charge brings your balance back to it.',
        table(
          ['What happens', 'Then'],
          [
            [
              'The card is declined',
              'You get an email. It is tried again after 1, 6 and 24 hours if your balance is still ' +
                'low. After the fourth decline in a row top-up is turned off.',
            ],
            [
              'Your bank wants a confirmation',
              'You get an email with a link, which is valid for 72 hours. Nothing is charged before you confirm. ' +
                'If you do not, top-up is turned off, and you get an email.',
            ],
            ['The number of top-ups of the month is reached', 'You get an email, once a month.'],
            ['You remove the card', 'Top-up is turned off, and the card is removed at Stripe.'],
          ],
        ),
        'You are never charged twice for one low balance: the next attempt begins only after the last ' +
          'has ended and its credits are in your balance. Your billing history lists every attempt.',
      ],
    },
    {
      title: 'What needs your attention',
      blocks: [
        `[\`GET /api/notifications\`](${apiCallPath('notifications')}) lists what does not work now, or soon will ` +
          'not, the `critical` ones first; the dashboard shows the same. Each is there as long as its cause: ' +
          'nothing has to be confirmed. When the same thing happens again, it has another `id`. Later versions may ' +
          'add codes.',
        table(
          ['`code`', 'When', '`figures`', 'Email'],
          Object.entries(attention).map(([name, cells]) => [`\`${name}\``, ...cells]),
        ),
        'Scheduled messages are charged when they are accepted, so none of them fails for lack of credits.',
      ],
    },
    {
      title: 'Check it yourself',
      blocks: [
        exchange(inEveryLanguage('balance'), code('The balance, HTTP 200', 'json', shown(balance))),
        'Every response to a sent message contains `balance` too.',
      ],
    },
  ],
};
