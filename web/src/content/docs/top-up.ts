import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { balance, dailySpendEvent, lowCreditsEvent, shown } from '../answers.js';
import { code, exchange, list, note, type Page, sample, table } from '../page.js';

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
              'You get an email with a link, which is valid for 72 hours. Nothing is charged before you confirm.',
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
      title: 'Check it yourself',
      blocks: [
        exchange(sample('balance', 'curl'), code('The balance, HTTP 200', 'json', shown(balance))),
        'Every response to a sent message contains `balance` too.',
      ],
    },
  ],
};
