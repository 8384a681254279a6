import { z } from 'zod';
import { limits } from './limits.js';
import { failureAnswer } from './messages.js';
import { typedName } from './names.js';
import { wholeNumber } from './whole-numbers.js';

/** `toll_free`: the called pay nothing, and messages go at a higher rate. */
export const numberTypes = ['local', 'toll_free'] as const;
export type NumberType = (typeof numberTypes)[number];

/**
 * States of a number in order. `reserving`: its purchase is not decided yet. `past_due`: the rent of
 * the month is not paid; it works for some days. `releasing`: nothing is sent from it any more, and it is
 * given back at `releases_at`; until then its release can be undone.
 */
export const numberStatuses = ['reserving', 'active', 'past_due', 'releasing', 'released'] as const;
export type NumberStatus = (typeof numberStatuses)[number];

/** `operator`: given to the account by the operator, who pays for it. */
export const numberOrigins = ['purchase', 'operator'] as const;

export const numberCapabilities = ['sms', 'mms'] as const;
export type NumberCapability = (typeof numberCapabilities)[number];

const apikey = z.string().optional();
const test = z.literal(true).optional();
const instant = z.iso.datetime();
const count = z.int().nonnegative();
/** Forms send this value as text. */
const flag = z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());

/** An empty form field counts as missing. */
const given = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), shape.optional());

/**
 * Query of GET /api/numbers/available. `country` is ISO 3166-1 alpha-2; `contains` are digits, or
 * letters of a phone's keypad, that the number has in a row, with `*` for any digit.
 */
export const availableNumbersFilter = z.object({
  country: given(
    z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be a country of two letters, such as US')
      .transform((text) => text.toUpperCase()),
  ).default('US'),
  type: given(z.enum(numberTypes)).default('local'),
  area_code: given(z.string().regex(/^\d{3}$/, 'must be an area code of three digits')),
  contains: given(
    z.string().regex(/^(?=(?:\**[0-9A-Za-z]){2})[0-9A-Za-z*]{2,10}$/, 'must be 2 to 10 digits, letters or *'),
  ),
  limit: given(wholeNumber(1, limits.numbersAvailableMax)).default(limits.numbersAvailableDefault),
});
export type AvailableNumbersFilter = z.infer<typeof availableNumbersFilter>;

/** Query with `apikey` in place of `Authorization: Bearer`. */
export const availableNumbersQuery = availableNumbersFilter.extend({ apikey });
export type AvailableNumbersQuery = z.infer<typeof availableNumbersQuery>;

/** A number that can be bought: its monthly rent and its setup price, in credits. */
export const availableNumber = z.object({
  number: z.string(),
  locality: z.string().nullable(),
  capabilities: z.array(z.enum(numberCapabilities)),
  credits_per_month: count,
  setup_credits: count,
});
export type AvailableNumberView = z.infer<typeof availableNumber>;

/** Answer of GET /api/numbers/available and /api/dashboard/numbers/available. */
export const availableNumbersAnswer = z.object({
  success: z.literal('true'),
  numbers: z.array(availableNumber).max(limits.numbersAvailableMax),
  test,
});
export type AvailableNumbersAnswer = z.infer<typeof availableNumbersAnswer>;

/** The refusal `number_taken`: numbers like it that can be bought, at most `limits.similarNumbersMax`. */
export const numberTakenAnswer = failureAnswer.extend({
  similar: z.array(availableNumber).max(limits.similarNumbersMax),
});

const label = typedName(limits.numberLabelCharactersMax).nullable();

/** Body of POST /api/numbers. */
export const buyNumberBody = z.object({
  apikey,
  number: z.string().nullish(),
  label: label.optional(),
  auto_renew: flag.default(true),
});
export type BuyNumberBody = z.infer<typeof buyNumberBody>;

/**
 * Answer of POST /api/numbers: 201, or 202 while the carrier has not answered (`status` is
 * `reserving` and `renews_at` null then). `credits` are taken when the carrier has confirmed. Repeated
 * with its Idempotency-Key, it has the state of the number now, which may be `released` by then.
 */
export const numberBoughtAnswer = z.object({
  success: z.literal('true'),
  number_id: z.string().length(36),
  number: z.string(),
  status: z.enum(numberStatuses),
  renews_at: instant.nullable(),
  credits: count,
  balance: count,
  test,
});
export type NumberBoughtAnswer = z.infer<typeof numberBoughtAnswer>;

/**
 * A number as its account sees it. `type`, `country`, `credits_per_month` and `renews_at` are null
 * for a number of the operator. `auto_renew` false: it is released at `renews_at`.
 * `past_due_since`: when the rent became due; `releases_at`: when the number is released, unless
 * the rent is paid or the release is undone. `strangers_per_day`: maximum of texts from people whom
 * the account has never texted that are received and charged in a New York day; null for a number
 * of the operator, which receives replies only. `filtered_at`: since when carriers filter its
 * messages, so that its pools leave it out.
 */
export const numberView = z.object({
  number_id: z.string().length(36),
  number: z.string(),
  label: z.string().nullable(),
  type: z.enum(numberTypes).nullable(),
  country: z.string().length(2).nullable(),
  capabilities: z.array(z.enum(numberCapabilities)),
  origin: z.enum(numberOrigins),
  status: z.enum(numberStatuses),
  auto_renew: z.boolean(),
  credits_per_month: count.nullable(),
  strangers_per_day: count.nullable(),
  renews_at: instant.nullable(),
  past_due_since: instant.nullable(),
  releases_at: instant.nullable(),
  released_at: instant.nullable(),
  filtered_at: instant.nullable(),
  pools: z.array(z.string().length(37)),
  created_at: instant,
});
export type NumberView = z.infer<typeof numberView>;

/** Query of GET /api/numbers: the account's current numbers, or its former numbers. */
export const numbersFilter = z.object({ status: given(z.enum(['live', 'released'])).default('live') });
export type NumbersFilter = z.infer<typeof numbersFilter>;
export const numbersQuery = numbersFilter.extend({ apikey });
export type NumbersQuery = z.infer<typeof numbersQuery>;

/** Answer of GET /api/numbers: newest first. `numbers_max`: maximum for the account. */
export const numbersAnswer = z.object({
  success: z.literal('true'),
  numbers: z.array(numberView),
  numbers_max: count,
  test,
});
export type NumbersAnswer = z.infer<typeof numbersAnswer>;

/**
 * Traffic of a number since `since`, among the account's newest messages, at most
 * `limits.numberTrafficMessagesMax`. `reasons`: why messages were not delivered.
 */
export const numberTraffic = z.object({
  since: instant.nullable(),
  sent: count,
  delivered: count,
  failed: count,
  waiting: count,
  replies: count,
  people: count,
  reasons: z.array(z.object({ code: z.string(), text: z.string(), messages: z.int().positive() })),
});
export type NumberTraffic = z.infer<typeof numberTraffic>;

/** Answer of GET /api/numbers/{number_id}. A test key gets an example with `test: true`. */
export const numberAnswer = numberView.extend({ success: z.literal('true'), traffic: numberTraffic, test });
export type NumberAnswer = z.infer<typeof numberAnswer>;

/** Query of GET /api/numbers/{number_id}, /api/pools and /api/pools/{pool_id}. */
export const numberQuery = z.object({ apikey });

/**
 * Body of PATCH /api/numbers/{number_id}: absent fields stay. Texts of strangers are outside the
 * budget of a key, so a key cannot raise their limit above the default.
 */
export const changeNumberBody = z.object({
  apikey,
  label: label.optional(),
  auto_renew: flag.optional(),
  strangers_per_day: given(wholeNumber(0, limits.strangersPerDayDefault)),
});
export type ChangeNumberBody = z.infer<typeof changeNumberBody>;

/** Body of PUT /api/dashboard/numbers/{number_id}. */
export const numberSettingsBody = changeNumberBody.omit({ apikey: true }).extend({
  strangers_per_day: given(wholeNumber(0, limits.strangersPerDayMax)),
});
export type NumberSettingsBody = z.infer<typeof numberSettingsBody>;

/**
 * Query of DELETE /api/numbers/{number_id}. `at`: `now`, which takes effect after
 * `limits.numberReleaseHours`, or when the month that is paid ends. `cancel` undoes a release.
 */
export const releaseNumberQuery = z.object({
  apikey,
  at: given(z.enum(['now', 'renews_at'])).default('now'),
  cancel: given(flag).default(false),
});
export type ReleaseNumberQuery = z.infer<typeof releaseNumberQuery>;

/**
 * Query of DELETE /api/dashboard/numbers/{number_id}. `now` takes effect at once, and needs a fresh
 * sign-in; `in_a_day` takes effect as `now` does by API key.
 */
export const dashboardReleaseQuery = z.object({
  at: given(z.enum(['now', 'in_a_day', 'renews_at'])).default('now'),
  cancel: given(flag).default(false),
});
export type DashboardReleaseQuery = z.infer<typeof dashboardReleaseQuery>;

/** Answer of PATCH and DELETE /api/numbers/{number_id}: the number afterwards. */
export const changedNumberAnswer = numberView.extend({ success: z.literal('true'), test });
export type ChangedNumberAnswer = z.infer<typeof changedNumberAnswer>;

/**
 * Body of POST /api/pools: `numbers` are numbers or their ids. A pool of the same name gets these
 * numbers in place of its own. `default`: messages without `from` take its numbers; the first pool
 * is the default.
 */
export const poolBody = z.object({
  apikey,
  name: typedName(limits.poolNameCharactersMax),
  numbers: z.array(z.string().max(64)).max(limits.poolNumbersMax),
  default: flag.optional(),
});
export type PoolBody = z.infer<typeof poolBody>;

/** A pool. `active`: true if a message may take the number. */
export const poolView = z.object({
  pool_id: z.string().length(37),
  name: z.string(),
  default: z.boolean(),
  numbers: z.array(
    z.object({
      number_id: z.string().length(36),
      number: z.string(),
      status: z.enum(numberStatuses),
      active: z.boolean(),
      filtered_at: instant.nullable(),
    }),
  ),
  created_at: instant,
});
export type PoolView = z.infer<typeof poolView>;

/** Answer of POST /api/pools and GET /api/pools/{pool_id}. */
export const poolAnswer = poolView.extend({ success: z.literal('true'), test });
export type PoolAnswer = z.infer<typeof poolAnswer>;

/** Answer of GET /api/pools: oldest first. */
export const poolsAnswer = z.object({ success: z.literal('true'), pools: z.array(poolView), test });
export type PoolsAnswer = z.infer<typeof poolsAnswer>;

/** Answer of DELETE /api/pools/{pool_id}. Its numbers stay the account's. */
export const poolDeletedAnswer = z.object({
  success: z.literal('true'),
  pool_id: z.string().length(37),
  deleted: z.literal(true),
  test,
});
export type PoolDeletedAnswer = z.infer<typeof poolDeletedAnswer>;

/**
 * Reasons of a release: by its owner, at the end of the last month, for want of credits, or with
 * the account.
 */
export const releaseReasons = ['owner', 'not_renewed', 'unpaid', 'deleted'] as const;
export type ReleaseReason = (typeof releaseReasons)[number];

/** Fields of every event about a number. */
export const numberEventFields = numberView.pick({
  number_id: true,
  number: true,
  label: true,
  status: true,
  credits_per_month: true,
  renews_at: true,
  releases_at: true,
});
/** Data of `number.past_due`. `day`: days since the rent became due. */
export const pastDueEventFields = numberEventFields.extend({ day: z.literal(limits.numberNoticeDays) });
export const releasedEventFields = numberEventFields.extend({ reason: z.enum(releaseReasons) });
/**
 * Data of `number.filtered`. `messages`: messages of ten minutes that can be judged; `failed`:
 * messages refused because of the number.
 */
export const filteredEventFields = numberEventFields.extend({
  messages: z.int().positive(),
  failed: z.int().positive(),
});
