import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { availableNumbers, numberBought, poolShown, refusal, shown } from '../answers.js';
import { localRent, tollFreeRent } from '../facts.js';
import { code, exchange, list, note, type Page, steps, table } from '../page.js';

/** A call with curl. A shell would read `?` and `&` of the address without the quotation marks. */
const call = (method: string, path: string, body?: object): string =>
  [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${site.url}${path}'`,
    `  -H 'Authorization: Bearer YOUR_API_KEY'`,
    ...(body ? [`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(body)}'`] : []),
  ].join(' \\\n');

export const numbers: Page = {
  path: paths.numbers,
  title: 'Numbers and pools',
  keywords: ['number', 'from', 'sender', 'toll-free number', 'tollfree', 'pool', 'rent'],
  description: 'Buy numbers of your own, send from them or from a pool of them, and get every reply. What they cost.',
  intro: [
    'Without a number of your own, your messages come from numbers that several customers share. With one, people ' +
      'always see the same number, and whatever they write to it comes to you.',
    `A local number costs ${localRent} a month and a toll-free one ${tollFreeRent}. Your first needs a paid purchase ` +
      'of credits.',
  ],
  sections: [
    {
      title: 'Buy a number',
      blocks: [
        steps(
          `Search in the [dashboard](${paths.dashboardNumbers}), or with a call. ` +
            'The key needs the scope `numbers`. ' +
            '`credits_per_month` is what each one costs now.',
          'Buy one of those that are listed. Its first month is taken at once.',
          'It works when its `status` is `active`: normally within a second.',
        ),
        exchange(
          code('Search', 'bash', call('GET', '/api/numbers/available?area_code=212&limit=1')),
          code('Response, HTTP 200', 'json', shown(availableNumbers)),
        ),
        exchange(
          code('Buy', 'bash', call('POST', '/api/numbers', { number: numberBought.number, label: 'Shop' })),
          code('The number, HTTP 201', 'json', shown(numberBought)),
        ),
        list(
          `Send an [\`Idempotency-Key\`](${paths.idempotency}), so that a repeated request buys the number once.`,
          'HTTP 202 with `status` `reserving`: the carrier has not answered. The credits are held, and either taken ' +
            'when the number is yours or returned. The event `number.active` or `GET /api/numbers/{number_id}` tells.',
          `\`number_taken\`: another customer has it, or it rests. \`similar\` has up to ${limits.similarNumbersMax} ` +
            'others.',
          'A number that is not offered or carries no messages is refused before anything is ordered.',
          `At most ${limits.numbersMaxDefault} numbers, unless support allows more, and ` +
            `${limits.numberPurchasesPerDayMax} purchases on a New York day; refused ones do not count. Searches and ` +
            `purchases ask the carrier at most ${limits.numberSearchesPerMinuteMax} times a minute.`,
          'We email you about each purchase and release.',
        ),
        code(
          'The first number before any purchase of credits, HTTP 402',
          'json',
          shown(
            refusal(
              'number_needs_purchase',
              'Numbers can be bought after the first paid purchase of credits. You were not charged.',
            ),
          ),
        ),
      ],
    },
    {
      title: 'Send from it',
      blocks: [
        '`from` of `sendsms`, `sendbulk`, `sendotp` and `quote` is a number, the id of one (`num_…`) or the id of a ' +
          'pool (`pool_…`).',
        code(
          'A message from a pool',
          'bash',
          call('POST', '/api/sendsms', {
            to: '+12025550142',
            message: 'Hello from Pennytext',
            from: poolShown.pool_id,
          }),
        ),
        'Without `from`, the message comes from:',
        steps(
          'the number that the recipient knows: the one of your latest message to them;',
          'otherwise a number of your default pool;',
          'otherwise a shared one.',
        ),
        'A number in no pool is used only if `from` names it, or for people who know it. To use what you have bought ' +
          'for all messages, put it into your default [pool](#pools).',
        table(
          ['`code`', 'When'],
          [
            [`[\`from_unknown\`](${paths.errors}#from_unknown)`, '`from` is neither a number nor a pool of yours.'],
            [
              `[\`from_inactive\`](${paths.errors}#from_inactive)`,
              'The number does not work yet or was released, which `detail` tells, or no number of the pool works.',
            ],
          ],
        ),
        'Nothing is sent or charged then. A local number sends one message a second and a toll-free one three, ' +
          'unless the operator changes that: more messages wait for their turn. One-time passwords do not wait. No ' +
          'other carrier can send a message from your number.',
        'A message with files leaves only from a number whose `capabilities` have `mms`: it is refused with ' +
          '`media_unsupported` when `from` names none. Without `from`, a number that carries none is passed over.',
      ],
    },
    {
      title: 'Replies',
      blocks: [
        list(
          'Whatever anyone writes to a number that you have bought is kept in ' +
            `[Conversations](${paths.dashboardConversations}) and costs 1 credit, like all replies, also when your ` +
            'account has no webhook URL.',
          `With a webhook URL, it is [forwarded](${paths.receiving}) as well, for the same credit.`,
          `Of people whom you have never texted, a number receives ${limits.strangersPerDayDefault} texts in a New ` +
            'York day, or as many as `strangers_per_day` or its page allows. Further ones are stored as ' +
            '`limited`: they cost nothing and are not forwarded. After ' +
            `${limits.limitedStrangersPerDayMax.toLocaleString('en-US')} of these in a day they are dropped.`,
        ),
      ],
    },
    {
      title: 'Pools',
      blocks: [
        exchange(
          code(
            'Create a pool, or give it other numbers',
            'bash',
            call('POST', '/api/pools', {
              name: poolShown.name,
              numbers: poolShown.numbers.map(({ number }) => number),
            }),
          ),
          code('The pool, HTTP 201', 'json', shown(poolShown)),
        ),
        list(
          'A pool shares your recipients among its numbers, and each recipient keeps one.',
          'Your first pool is the default one, unless you send `"default": false`.',
          `Up to ${limits.poolsMax} pools with ${limits.poolNumbersMax} numbers each. A number can be in several.`,
          'A change is used within seconds.',
        ),
      ],
    },
    {
      title: 'Rent',
      blocks: [
        list(
          'The month ends on the same day of the next one, or on its last day, at the same time in New York.',
          'If your balance does not cover the next month, the number works for ' +
            `${limits.numberGraceDays} more days. You get an email and the event \`number.past_due\` on days ` +
            `${limits.numberNoticeDays.join(', ')}; the rent is taken as soon as you have enough credits.`,
          'After that, it is released. Whenever rent is paid, the next month begins where the last paid one ended.',
          'Nothing is released while a dispute has frozen credits of your account.',
          'With `"auto_renew": false` it is released when the paid month ends.',
          'A number keeps the rent that it was bought for.',
        ),
      ],
    },
    {
      title: 'Release',
      blocks: [
        'By API a release takes effect after 24 hours, in which `?cancel=true`, buying it again and the dashboard ' +
          'undo it, nothing is sent from the number, and texts to it are stored as `limited`; the dashboard can ' +
          'release it at once, after a fresh sign-in. Messages that still wait then, scheduled ones too, fail with ' +
          '`sender_released` and are refunded, and replies do not arrive any more, but STOP and START still count. A ' +
          'message that names it is refused with `from_inactive`: the number was released. What was written stays in ' +
          'your account.',
        code('Release in 24 hours', 'bash', call('DELETE', `/api/numbers/${numberBought.number_id}`)),
        code(
          'Release when the paid month ends',
          'bash',
          call('DELETE', `/api/numbers/${numberBought.number_id}?at=renews_at`),
        ),
        note(
          `Within ${limits.numberRestDays} days no other customer of ours can buy it, so that replies to you reach ` +
            'no other customer. You can buy it again, unless the carrier has given it away. Paid credits are not ' +
            'returned.',
        ),
      ],
    },
    {
      title: 'Numbers that carriers filter',
      blocks: [
        'Each minute the messages of ten minutes are judged. A number leaves its pools if at least three of them, ' +
          'and a fifth, were refused as spam or for want of a registration (30007 or 30034; Telnyx: 40002, 40003, ' +
          '40010, 40015, 40017 or 40150), or of at least ten a half for the number or its route. You get an email ' +
          `and the event [\`number.filtered\`](${paths.webhooks}#events). A message that names it in \`from\` ` +
          'is still sent. Change what you send or to whom, and then put it back into its pool.',
      ],
    },
  ],
};
