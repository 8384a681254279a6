import { type DeliveryError, deliveryErrorOf, deliveryErrors, unknownErrorAnchor } from '#contract/delivery-errors.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { deliverability } from '#contract/examples.js';
import { delivered, shown } from '../answers.js';
import { contactLink } from '../company.js';
import { code, type Entry, exchange, list, type Page } from '../page.js';

const example = {
  message_id: delivered.message_id,
  status: 'undelivered',
  refunded: 1,
  error_code: 'not_delivered',
  carrier_error: 30_003,
  reason: reasonIn('30003'),
};

function reasonIn(key: string) {
  const { reason: text, permanent } = deliveryErrorOf(key);
  return { code: key, text, permanent };
}

const filterRequest = `curl '${site.url}/api/messages?reason=30003' \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

const deliverabilityRequest = `curl ${site.url}/api/deliverability \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

const isOurs = ({ code: key }: DeliveryError) => !/^\d+$/.test(key);

const entryOf = ({ code: name, reason, meaning, permanent, remedy }: DeliveryError): Entry => ({
  name,
  tag: permanent ? 'Permanent' : 'May work later',
  text: [`**${reason}.** ${meaning}`, remedy],
});

const unknown = deliveryErrorOf('99999');

export const deliveryErrorsPage: Page = {
  path: paths.deliveryErrors,
  title: 'Delivery errors',
  description:
    'Why a message was not delivered: what each code means, whether it is permanent, and what you can do about it.',
  intro: [
    'A message that was accepted can still fail on its way. Its credits are refunded, and it has a code that ' +
      `tells you why. Refused requests are another matter: see [Errors](${paths.errors}).`,
  ],
  sections: [
    {
      title: 'Where you find the code',
      blocks: [
        code('A message that was not delivered', 'json', shown(example)),
        list(
          '`reason` has the code that explains most: the carrier’s if there is one, else ours.',
          '`permanent`: the same message to the same number would fail again. Do not repeat it as it is.',
          '`error_code` is ours, `carrier_error` the carrier’s number, as the network reported it.',
          'A reason such as `network_27` is a code of the network behind the carrier, which gives it its own meaning.',
          'In the dashboard, **SMS History** shows reason and code beside the status and filters by them, and ' +
            '**Deliverability** counts them by country, day and key.',
        ),
        code('Curl: Messages with one reason', 'bash', filterRequest),
      ],
    },
    {
      title: 'Count them',
      blocks: [
        exchange(
          code('Curl: The deliverability', 'bash', deliverabilityRequest),
          code('Response, HTTP 200', 'json', shown(deliverability)),
        ),
        list(
          'Counts the messages that have ended, except canceled ones, by reason, country, New York day and key.',
          'Without `from` and `to` it is the last 30 days; at most 92. The figures are exact at any time.',
        ),
      ],
    },
    {
      title: 'The codes',
      blocks: [
        list(
          `[Our codes](${paths.ownDeliveryErrors}): of messages that ended before the carrier had them.`,
          `[Permanent codes](${paths.permanentDeliveryErrors}) of the carrier: the same message would fail again.`,
          `[Passing codes](${paths.passingDeliveryErrors}) of the carrier: the same message may arrive later.`,
        ),
      ],
    },
    {
      title: 'Any other code',
      blocks: [
        {
          kind: 'entries',
          entries: [
            {
              name: unknownErrorAnchor,
              tag: 'Not known',
              text: [
                `**${unknown.reason}.** The carrier has more codes than this page explains, and adds new ones. ` +
                  'Such a message is refunded like any other.',
                `${unknown.remedy} The address is ${contactLink}.`,
              ],
            },
          ],
        },
      ],
    },
  ],
};

/** A page of codes of one kind. */
function groupPage(
  path: string,
  title: string,
  description: string,
  isOfGroup: (error: DeliveryError) => boolean,
): Page {
  return {
    path,
    title,
    description,
    intro: [`${description} Where you find the code: [Delivery errors](${paths.deliveryErrors}).`],
    sections: [
      { title: 'Codes', blocks: [{ kind: 'entries', entries: deliveryErrors.filter(isOfGroup).map(entryOf) }] },
    ],
  };
}

/** The explanations of all codes. */
export const deliveryErrorGroups: readonly Page[] = [
  groupPage(
    paths.ownDeliveryErrors,
    'Our delivery errors',
    'The codes of messages that ended before the carrier had them, or without a code of the carrier.',
    isOurs,
  ),
  groupPage(
    paths.permanentDeliveryErrors,
    'Permanent delivery errors',
    'The codes of the carrier with which the same message to the same number would fail again.',
    (error) => !isOurs(error) && error.permanent,
  ),
  groupPage(
    paths.passingDeliveryErrors,
    'Passing delivery errors',
    'The codes of the carrier with which the same message may arrive when it is sent again.',
    (error) => !isOurs(error) && !error.permanent,
  ),
];
