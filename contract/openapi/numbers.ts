import {
  availableNumbers,
  numberBought,
  numberChanged,
  numberReleased,
  numberReserving,
  numberShown,
  numbersList,
  poolDeleted,
  poolShown,
  poolsList,
} from '../examples.js';
import { limits } from '../limits.js';
import {
  availableNumber,
  availableNumbersAnswer,
  buyNumberBody,
  changedNumberAnswer,
  changeNumberBody,
  numberAnswer,
  numberBoughtAnswer,
  numbersAnswer,
  numberTraffic,
  numberTypes,
  numberView,
  poolAnswer,
  poolBody,
  poolDeletedAnswer,
  poolsAnswer,
  poolView,
} from '../numbers.js';
import type { Operation, Parameter, PathItem, Schema } from './document.js';
import { getCall, idempotencyKey, json, keyInQuery, ref, security, shows } from './operations.js';
import { rateLimitHeaders, refusalResponses, replayedHeader, requestIdHeader } from './refusals.js';
import { answer, exampleNote, request, schemas, success } from './schemas.js';

const numberId = {
  description: 'Id of the number: `num_` and 32 hex digits.',
  keywords: { pattern: '^num_[0-9a-f]{32}$' },
};
const poolId = {
  description: 'Id of the pool: `pool_` and 32 hex digits.',
  keywords: { pattern: '^pool_[0-9a-f]{32}$' },
};
const apikey = { description: 'Your API key, unless it is sent as `Authorization: Bearer`.' };
const label = { description: `Your name for it, up to ${limits.numberLabelCharactersMax} characters.` };
const autoRenew = {
  description: '`false`: it is released when the month that is paid ends. `true` (default): its rent is taken then.',
};

const strangersPerDay = {
  description:
    'How many texts of people whom you have never texted are received, and charged, in a day, New York time; 0: ' +
    'none. Further ones are stored as `limited`: they cost nothing and are not sent to your webhook. Replies of ' +
    'people whom you have texted do not count. `null` for a number of the operator. A key sets up to ' +
    `${limits.strangersPerDayDefault}, the dashboard more.`,
};

const numberNotes = {
  number_id: numberId,
  number: { description: 'The number in E.164 format; one of the operator may be the id of a messaging service.' },
  label,
  type: { description: '`local` or `toll_free`; `null` for a number of the operator.' },
  country: { description: 'Its country, as ISO 3166-1 alpha-2 code; `null` for a number of the operator.' },
  capabilities: { description: 'Kinds of messages that the number takes and sends.' },
  origin: { description: '`purchase`: you bought it. `operator`: the operator has given it to you.' },
  status: {
    description:
      '`reserving`: its purchase is not decided yet. `active`. `past_due`: its rent is due, and it works until ' +
      '`releases_at`. `releasing`: nothing is sent from it, and texts to it are stored, uncharged; it is given back ' +
      'at `releases_at`, until which you can undo it. `released`.',
  },
  auto_renew: autoRenew,
  credits_per_month: { description: 'Its rent in credits; `null` for a number of the operator.' },
  strangers_per_day: strangersPerDay,
  renews_at: { description: 'When the month that is paid ends, in UTC.' },
  past_due_since: { description: 'Since when its rent is due and not paid.' },
  releases_at: {
    description: 'When it is released, unless its rent is paid, `auto_renew` is set or the release is undone.',
  },
  released_at: { description: 'When it was released.' },
  filtered_at: {
    description: 'Since when carriers filter its messages, so that pools do not use it; `null` if they do not.',
  },
  pools: { description: 'Ids of the pools that it is in.' },
  created_at: { description: 'When you bought it, in UTC.' },
};

const poolNotes = {
  pool_id: poolId,
  name: { description: 'Its name, unique in your account.' },
  default: { description: 'Whether messages without `from` take its numbers.' },
  numbers: {
    description:
      'Its numbers. `active`: messages take it. It is not while carriers filter its messages (`filtered_at`), or ' +
      'its `status` does not allow it.',
  },
  created_at: { description: 'When it was created, in UTC.' },
};

/** Schemas of numbers and pools, by their names in the document. */
export const numberSchemas: Readonly<Record<string, Schema>> = {
  AvailableNumber: answer(availableNumber, {
    number: { description: 'The number in E.164 format.' },
    locality: { description: 'Where it is from; `null` for a toll-free number.' },
    capabilities: { description: 'Kinds of messages that the number takes and sends.' },
    credits_per_month: { description: 'Its rent in credits.' },
    setup_credits: { description: 'Credits that it costs once, besides.' },
  }),
  AvailableNumbers: answer(availableNumbersAnswer, {
    success,
    numbers: {
      description: 'Numbers that you can buy now.',
      keywords: { maxItems: limits.numbersAvailableMax, items: ref('AvailableNumber') },
    },
    test: exampleNote,
  }),
  BuyNumberRequest: request(buyNumberBody, {
    apikey,
    number: { description: 'The number, as a search has listed it.', required: true },
    label,
    auto_renew: autoRenew,
  }),
  BoughtNumber: answer(numberBoughtAnswer, {
    success,
    number_id: numberId,
    number: { description: 'The number in E.164 format.' },
    status: {
      description:
        '`active`, or `reserving` while the carrier has not answered. To a repeated request: the state of the ' +
        'number now.',
    },
    renews_at: { description: 'When the month that is paid ends; `null` while `reserving`, and after a release.' },
    credits: {
      description: 'Credits that it costs now. Held while `reserving`, and returned if the carrier does not sell it.',
    },
    balance: { description: 'Credits left.' },
    test: { description: 'Present if the key was a test key: nothing was bought or charged.' },
  }),
  NumberFailure: {
    ...schemas['Failure'],
    properties: {
      ...schemas['Failure']?.properties,
      similar: {
        description: 'With the code `number_taken`: numbers like it that you can buy now.',
        type: 'array',
        maxItems: limits.similarNumbersMax,
        items: ref('AvailableNumber'),
      },
    },
  },
  OwnNumber: answer(numberView, numberNotes),
  OwnNumbers: answer(numbersAnswer, {
    success,
    numbers: { description: 'Your numbers, newest first.', keywords: { items: ref('OwnNumber') } },
    numbers_max: { description: 'How many numbers you may have at a time.' },
    test: exampleNote,
  }),
  NumberTraffic: answer(numberTraffic, {
    since: { description: 'The oldest message that was looked at.' },
    sent: { description: 'Messages from the number.' },
    delivered: { description: 'Messages that were delivered.' },
    failed: { description: 'Messages that were not delivered.' },
    waiting: { description: 'Messages that wait or are scheduled: they fail and are refunded when it is released.' },
    replies: { description: 'Messages to the number.' },
    people: { description: 'People that it talked to.' },
    reasons: { description: 'Why messages were not delivered, the most frequent reason first.' },
  }),
  OwnNumberAnswer: answer(numberAnswer, {
    success,
    ...numberNotes,
    traffic: {
      description:
        'Messages of the number, among your newest ' +
        `${limits.numberTrafficMessagesMax.toLocaleString('en-US')} ones.`,
      keywords: ref('NumberTraffic'),
    },
    test: exampleNote,
  }),
  ChangeNumberRequest: request(changeNumberBody, {
    apikey,
    label,
    auto_renew: autoRenew,
    strangers_per_day: strangersPerDay,
  }),
  ChangedNumber: answer(changedNumberAnswer, { success, ...numberNotes, test: exampleNote }),
  PoolRequest: {
    ...request(poolBody, {
      apikey,
      name: {
        description: `Up to ${limits.poolNameCharactersMax} characters. A pool of this name gets these numbers.`,
        required: true,
      },
      numbers: { description: `Up to ${limits.poolNumbersMax} of your numbers, or their ids.` },
      default: {
        description: 'Whether messages without `from` take its numbers. Your first pool does, unless you send `false`.',
      },
    }),
    required: ['name', 'numbers'],
  },
  Pool: answer(poolView, poolNotes),
  PoolAnswer: answer(poolAnswer, { success, ...poolNotes, test: exampleNote }),
  PoolsAnswer: answer(poolsAnswer, {
    success,
    pools: { description: 'Your pools, oldest first.', keywords: { items: ref('Pool') } },
    test: exampleNote,
  }),
  PoolDeleted: answer(poolDeletedAnswer, {
    success,
    pool_id: poolId,
    deleted: { description: 'Its numbers stay yours.' },
    test: exampleNote,
  }),
};

const numberInPath: Parameter = {
  name: 'number_id',
  in: 'path',
  required: true,
  description: 'The id that the purchase returned.',
  schema: { type: 'string' },
};
const poolInPath: Parameter = {
  ...numberInPath,
  name: 'pool_id',
  description: 'The id that `POST /api/pools` returned.',
};

function inQuery(name: string, description: string, schema: Schema = { type: 'string' }): Parameter {
  return { name, in: 'query', required: false, description, schema };
}

const headers = { ...requestIdHeader, ...rateLimitHeaders };
type Call = Pick<Operation, 'operationId' | 'summary' | 'description' | 'responses'>;

/** A call whose body is JSON or a form. */
function bodyCall(call: Call, bodyName: string, example: object, parameters: Parameter[]): Operation {
  const content = { schema: ref(bodyName), examples: { example: { value: example } } };
  return {
    ...call,
    tags: ['Numbers'],
    security,
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': content, 'application/x-www-form-urlencoded': content },
    },
  };
}

function get(call: Call, parameters: Parameter[]): PathItem {
  return getCall({ ...call, tags: ['Numbers'] }, parameters);
}

function remove(call: Call, parameters: Parameter[]): PathItem {
  const { get: operation } = get(call, parameters);
  return operation ? { delete: operation } : {};
}

const KEY = 'YOUR_API_KEY';
/** Numbers, their purchase and their pools. */
export const numberPaths: Readonly<Record<string, PathItem>> = {
  '/api/numbers/available': get(
    {
      operationId: 'availableNumbers',
      summary: 'Search for a number',
      description: 'Numbers that you can buy, with their prices. All of them carry messages.',
      responses: {
        ...shows('AvailableNumbers', 'Numbers that can be bought now.', availableNumbers),
        ...refusalResponses('availableNumbers'),
      },
    },
    [
      inQuery('country', 'Country as ISO 3166-1 alpha-2 code. `US` by default.'),
      inQuery('type', '`local` (default) or `toll_free`.', { type: 'string', enum: [...numberTypes] }),
      inQuery('area_code', 'Only numbers with this area code, of the USA and Canada.'),
      inQuery('contains', 'Only numbers with these 2 to 10 digits or letters of a keypad in a row; `*` is any digit.'),
      inQuery('limit', `How many at most: ${limits.numbersAvailableDefault} by default.`, {
        type: 'integer',
        minimum: 1,
        maximum: limits.numbersAvailableMax,
      }),
      keyInQuery,
    ],
  ),
  '/api/numbers': {
    post: bodyCall(
      {
        operationId: 'buyNumber',
        summary: 'Buy a number',
        description:
          'The price is held, and taken when the carrier has confirmed; else it is returned. Afterwards the rent is ' +
          `taken every month. An account needs a paid purchase of credits, has ${limits.numbersMaxDefault} numbers ` +
          `at most and buys ${limits.numberPurchasesPerDayMax} a day. DELETE it to give it up.`,
        responses: {
          201: {
            description: 'The number is yours.',
            headers: { ...headers, ...replayedHeader },
            content: { 'application/json': json('BoughtNumber', numberBought) },
          },
          202: {
            description: 'The carrier has not answered: it is decided within minutes. `number.active` tells of it.',
            headers,
            content: { 'application/json': json('BoughtNumber', numberReserving) },
          },
          ...refusalResponses('buyNumber'),
        },
      },
      'BuyNumberRequest',
      { number: '+12125550143', label: 'Support', apikey: KEY },
      [idempotencyKey],
    ),
    ...get(
      {
        operationId: 'listNumbers',
        summary: 'List your numbers',
        description: 'Your numbers, newest first.',
        responses: {
          ...shows('OwnNumbers', 'Your numbers.', numbersList),
          ...refusalResponses('listNumbers', [400]),
        },
      },
      [
        inQuery('status', '`live` (default): those that you have. `released`: those that you had.', {
          type: 'string',
          enum: ['live', 'released'],
        }),
        keyInQuery,
      ],
    ),
  },
  '/api/numbers/{number_id}': {
    ...get(
      {
        operationId: 'findNumber',
        summary: 'Show a number',
        description: 'One number, and what went through it.',
        responses: {
          ...shows('OwnNumberAnswer', 'The number.', numberShown),
          ...refusalResponses('findNumber', [400]),
        },
      },
      [numberInPath, keyInQuery],
    ),
    patch: bodyCall(
      {
        operationId: 'changeNumber',
        summary: 'Change a number',
        description: 'Sets what is sent, and leaves the rest.',
        responses: {
          ...shows('ChangedNumber', 'The number afterwards.', numberChanged),
          ...refusalResponses('changeNumber', [400, 413, 415]),
        },
      },
      'ChangeNumberRequest',
      { label: 'Support', auto_renew: false, apikey: KEY },
      [numberInPath],
    ),
    ...remove(
      {
        operationId: 'releaseNumber',
        summary: 'Release a number',
        description:
          `Gives the number up: ${limits.numberReleaseHours} hours from now (\`releasing\` until \`releases_at\`), ` +
          'or when the month that is paid ends, but not before that. Until then `cancel=true`, buying it again and ' +
          'the dashboard undo it; nothing is sent from a number that is `releasing`. We email you. When it is ' +
          'released, messages that wait for it, scheduled ones too, fail and are refunded; replies to it do not ' +
          `arrive any more. No other account can buy it for ${limits.numberRestDays} days, but you may not get it ` +
          'back either. ' +
          'Nothing is released while a dispute has frozen credits of your account. The dashboard can release it ' +
          'at once.',
        responses: {
          ...shows('ChangedNumber', 'The number afterwards.', numberReleased),
          ...refusalResponses('releaseNumber', [400, 413, 415]),
        },
      },
      [
        numberInPath,
        inQuery(
          'at',
          `\`now\` (default): ${limits.numberReleaseHours} hours from now. \`renews_at\`: when the paid month ends.`,
          { type: 'string', enum: ['now', 'renews_at'] },
        ),
        inQuery('cancel', '`true`: undoes a release.', { type: 'boolean' }),
        keyInQuery,
      ],
    ),
  },
  '/api/pools': {
    post: bodyCall(
      {
        operationId: 'putPool',
        summary: 'Create or replace a pool',
        description:
          'A message from a pool takes the number that its recipient knows, else one of the pool. A pool of the same ' +
          'name gets these numbers in place of its own; a number that carriers filtered is used again.',
        responses: {
          201: {
            description: 'The pool afterwards.',
            headers,
            content: { 'application/json': json('PoolAnswer', poolShown) },
          },
          ...refusalResponses('putPool'),
        },
      },
      'PoolRequest',
      { name: 'Support', numbers: ['+12125550143'], apikey: KEY },
      [],
    ),
    ...get(
      {
        operationId: 'listPools',
        summary: 'List your pools',
        description: 'Your pools, oldest first.',
        responses: {
          ...shows('PoolsAnswer', 'Your pools.', poolsList),
          ...refusalResponses('listPools', [400]),
        },
      },
      [keyInQuery],
    ),
  },
  '/api/pools/{pool_id}': {
    ...get(
      {
        operationId: 'findPool',
        summary: 'Show a pool',
        description: 'One pool and its numbers.',
        responses: {
          ...shows('PoolAnswer', 'The pool.', poolShown),
          ...refusalResponses('findPool', [400]),
        },
      },
      [poolInPath, keyInQuery],
    ),
    ...remove(
      {
        operationId: 'deletePool',
        summary: 'Delete a pool',
        description:
          'Its numbers stay yours. Messages from it are refused; without a default pool, messages without ' +
          '`from` take shared senders.',
        responses: {
          ...shows('PoolDeleted', 'The pool is gone.', poolDeleted),
          ...refusalResponses('deletePool', [400, 413, 415]),
        },
      },
      [poolInPath, keyInQuery],
    ),
  },
};
