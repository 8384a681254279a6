import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { KeyScope } from '#contract/account.js';
import { sendBulkBody } from '#contract/bulk.js';
import type { ErrorCode } from '#contract/errors.js';
import { faultText } from '#contract/faults.js';
import { limits } from '#contract/limits.js';
import { type FixedCall, sendSmsBody } from '#contract/messages.js';
import { smartText, unicodeCharactersIn } from '#contract/sms-characters.js';
import { resendOtpBody, sendOtpBody, verifyOtpBody } from '#contract/otp.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { CurrentRegions } from '#core/routes/current-regions.js';
import { mmsTerms, priceOfText } from '#core/messages/send/price.js';
import { faultOfRules } from '#core/messages/send/price-message.js';
import { faultOfOtpRules } from '#core/otp/price-otp.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { meantNumber, parseRecipient } from '#core/rules/phone-numbers.js';
import type { RegionTable } from '#core/rules/regions.js';
import { meantInstant, parseInstant } from '#core/rules/time.js';
import { bearerOf } from '../http/credentials.js';
import { fieldsOfApiBody } from '../http/input.js';
import { UnreadBody } from '../http/unread-body.js';
import type { ApiRequest } from './api-caller.js';
import { sendBulkFields } from './bulk.controller.js';
import { resendOtpFields, sendOtpFields, verifyOtpFields } from './otp.controller.js';
import { quotedCall } from './quote.controller.js';
import { quoteSmsFields, sendSmsFields } from './send-sms.controller.js';

type Fields = Readonly<Record<string, unknown>>;

/** A call whose refusals can name the call that would succeed. */
interface FixableCall {
  /** Scope that the key must have. */
  readonly scope: KeyScope;
  readonly schema: z.ZodType;
  /** Fields of the contract: a call with others has no fix, because they might have mattered. */
  readonly names: ReadonlySet<string>;
  /** Fields without which the call is refused, besides the key. */
  readonly required: readonly string[];
  /** True if only the account or the caller's identity could refuse the body. */
  readonly passes: (body: Fields, regions: RegionTable) => boolean;
}

/** Placeholder for the caller's key, which is never corrected. */
const ANY_KEY = 'any';

const sms = (schema: typeof sendSmsFields | typeof quoteSmsFields): FixableCall => ({
  scope: 'send',
  schema,
  names: namesOf(sendSmsBody),
  required: ['to', 'message'],
  passes: (body, regions) => {
    const fields = parsed(schema, body);
    if (fields === undefined) return false;
    const { to, message, options, files } = fields;
    if (!files) return faultOfRules(regions, to, message, options) === undefined;
    // The price of files, and permission to send links instead, depend on more than rules.
    const { encoding, maxCredits } = options;
    const terms = mmsTerms({ credits: 1, isCarried: () => true });
    return maxCredits === undefined && !(priceOfText(regions, to, message, encoding, terms) instanceof DomainError);
  },
});
const bulk: FixableCall = {
  scope: 'send',
  schema: sendBulkFields,
  names: namesOf(sendBulkBody),
  required: [],
  // The refused call has priced the items, and knows that the others would be accepted.
  passes: (body) => parsed(sendBulkFields, body) !== undefined,
};

const otp: FixableCall = {
  scope: 'otp',
  schema: sendOtpFields,
  names: namesOf(sendOtpBody),
  required: ['to'],
  passes: (body, regions) => {
    const fields = parsed(sendOtpFields, body);
    return fields !== undefined && faultOfOtpRules(regions, fields) === undefined;
  },
};

const quotes = { sendsms: sms(quoteSmsFields), sendbulk: bulk, sendotp: otp } as const;

const fixableCalls: Readonly<Record<string, FixableCall>> = {
  '/api/sendsms': sms(sendSmsFields),
  '/api/quote': quotes.sendsms,
  '/api/sendbulk': bulk,
  '/api/sendotp': otp,
  '/api/resendotp': {
    scope: 'otp',
    schema: resendOtpFields,
    names: namesOf(resendOtpBody),
    required: ['otp_id'],
    passes: (body) => parsed(resendOtpFields, body) !== undefined,
  },
  '/api/verifyotp': {
    scope: 'otp',
    schema: verifyOtpFields,
    names: namesOf(verifyOtpBody),
    required: ['otp'],
    passes: (body) => {
      const fields = parsed(verifyOtpFields, body);
      return fields !== undefined && (!fields.to || parseRecipient(fields.to) !== undefined);
    },
  },
};

/**
 * Returns the call that a refused call should have been; undefined when there is none, or more than
 * one. It costs at most what the refused call would have cost, leaves out nothing that was sent,
 * and never contains the key. Bodies over `limits.fixedBodyBytesMax`, and bodies of unknown
 * callers, are ignored.
 */
@Injectable()
export class FixedCalls {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly currentRegions: CurrentRegions,
  ) {}

  async of(refusal: DomainError, request: ApiRequest): Promise<FixedCall | undefined> {
    if (request.method !== 'POST' || !(refusal.fix ?? corrections[refusal.code])) return undefined;
    const [path = ''] = request.url.split('?', 1);
    const call = fixableCalls[path];
    const sent = request.body instanceof UnreadBody ? request.body : request.sent;
    if (!call || !sent || sent.bytes.length > limits.fixedBodyBytesMax || !isFields(sent.fields)) return undefined;
    const { apikey } = sent.fields;
    const key = typeof apikey === 'string' && apikey !== '' ? apikey : bearerOf(request);
    if (key === undefined || !(await this.mayCall(key, request, call.scope))) return undefined;
    const regions = await this.currentRegions.table();
    return fixedCallOf(refusal, fieldsOfApiBody(sent), { path, key, call, regions });
  }

  /** Returns whether an account has the key, and the key may make the call. */
  private async mayCall(key: string, { caller, ip }: ApiRequest, scope: KeyScope): Promise<boolean> {
    if (caller && 'accountId' in caller) return true;
    try {
      await this.apiKeys.authenticate(this.apiKeys.parse(key), ip, scope);
      return true;
    } catch {
      // The call is refused already, and the refusal stands without its fix.
      return false;
    }
  }
}

interface RefusedCall {
  readonly path: string;
  readonly key: string;
  readonly call: FixableCall;
  readonly regions: RegionTable;
}

function fixedCallOf(
  refusal: DomainError,
  fields: unknown,
  { path, key, call: usual, regions }: RefusedCall,
): FixedCall | undefined {
  if (!isFields(fields)) return undefined;
  const call = path === '/api/quote' ? quotes[quotedCall(fields)] : usual;
  const { apikey: _apikey, ...given } = fields;
  const changes = changesFor(refusal, given, call);
  if (!changes) return undefined;
  const body = withMeantNumber(changed(given, changes));
  // The number of a later channel can be wrong, which no correction changes.
  if (isDeepStrictEqual(body, given)) return undefined;
  if (Object.keys(body).some((name) => !call.names.has(name))) return undefined;
  if (!call.passes({ ...body, apikey: ANY_KEY }, regions)) return undefined;
  return JSON.stringify(body).includes(JSON.stringify(key).slice(1, -1)) ? undefined : { call: `POST ${path}`, body };
}

/** Finds the fields that have to be different; an undefined field is left out. */
type Correction = (body: Fields, call: FixableCall) => Fields | undefined;

/** Makes a text shorter, and never dearer. */
const smart: Correction = (body, { names }) =>
  names.has('encoding') && !body['quote'] ? { encoding: 'smart' } : undefined;

/** Corrections of refusals that do not contain their fix. */
const corrections: Partial<Record<ErrorCode, Correction>> = {
  invalid_request: retyped,
  missing_fields: renamed,
  // Every correction also corrects the number.
  invalid_number: () => ({}),
  encoding_unsupported: (body, call) => (isPlainWhenSmart(body) ? smart(body, call) : undefined),
  message_too_long: smart,
  price_above_max: smart,
  invalid_send_at: withMeantTime,
};

function changesFor({ code, fix }: DomainError, body: Fields, call: FixableCall): Fields | undefined {
  return fix ?? corrections[code]?.(body, call);
}

function changed(body: Fields, changes: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...body, ...changes }).filter(([, value]) => value !== undefined));
}

/** Returns whether the smart text has only GSM-7 characters. */
function isPlainWhenSmart({ message }: Fields): boolean {
  return typeof message === 'string' && unicodeCharactersIn(smartText(message)).length === 0;
}

/** Completes another country's number that lacks its `+`, if only one number fits. */
function withMeantNumber(body: Fields): Fields {
  const { to } = body;
  const meant = typeof to === 'string' ? meantNumber(to) : undefined;
  return meant === undefined ? body : { ...body, to: meant };
}

const HOUR_MS = 3_600_000;
/** Exceeds `limits.sendAtSecondsMin`, the shortest wait of a scheduled message. */
const ABOUT_NOW_MS = 60_000;

/** Sends at once for a time that has just passed; corrects a nearly right form with one meaning. */
function withMeantTime({ send_at: sendAt }: Fields): Fields | undefined {
  if (typeof sendAt !== 'string') return undefined;
  const at = parseInstant(sendAt);
  if (!at) {
    const meant = meantInstant(sendAt);
    return meant === undefined ? undefined : { send_at: meant };
  }
  const lateMs = Date.now() - at.getTime();
  return lateMs > -ABOUT_NOW_MS && lateMs <= HOUR_MS ? { send_at: undefined } : undefined;
}

/** Converts values of another type or letter case that mean only one valid value. */
function retyped(body: Fields, { schema, required }: FixableCall): Fields | undefined {
  const checked = checkedBy(schema, body);
  if (checked === undefined || checked.success || required.length === 0) return undefined;
  const changes: Record<string, unknown> = {};
  for (const issue of checked.error.issues) {
    const [name, ...deeper] = issue.path;
    if (typeof name !== 'string' || deeper.length > 0) return undefined;
    const value = retypedValue(name, body[name], issue);
    if (value === undefined) return undefined;
    changes[name] = value;
  }
  return changes;
}

function retypedValue(name: string, value: unknown, issue: z.core.$ZodIssue): string | undefined {
  // A code sent as a number has lost a leading 0.
  if (issue.code === 'invalid_type')
    return issue.expected === 'string' && name !== 'otp' && Number.isSafeInteger(value) ? String(value) : undefined;
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return undefined;
  const meant = issue.values.filter((allowed) => plainName(String(allowed)) === plainName(value));
  return meant.length === 1 ? String(meant[0]) : undefined;
}

/** Our fields by their names at other services. */
const otherNames: Readonly<Record<string, string>> = {
  phone: 'to',
  phonenumber: 'to',
  number: 'to',
  recipient: 'to',
  text: 'message',
  body: 'message',
  msg: 'message',
  content: 'message',
  code: 'otp',
  id: 'otp_id',
};
const NAME_CHARACTERS_MAX = 40;

/** Renames fields whose unknown names each mean only one missing field. */
function renamed(body: Fields, { names }: FixableCall): Fields | undefined {
  const changes: Record<string, unknown> = {};
  for (const given of Object.keys(body).filter((name) => !names.has(name))) {
    if (given.length > NAME_CHARACTERS_MAX) return undefined;
    const meant = [...names].filter((name) => (body[name] ?? '') === '' && isMisspelled(given, name));
    const [name, ...others] = meant;
    if (name === undefined || others.length > 0 || changes[name] !== undefined) return undefined;
    changes[name] = body[given];
    changes[given] = undefined;
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function isMisspelled(given: string, name: string): boolean {
  const [a, b] = [plainName(given), plainName(name)];
  return a === b || otherNames[a] === name || (b.length > 3 && isOneSlipAway(a, b));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Returns whether one letter is added, missing or different, or two neighbors are swapped. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return isSwapped || restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1);
}

/** Returns undefined when a rule refuses the fields. */
function parsed<T>(schema: z.ZodType<T>, body: Fields): T | undefined {
  return checkedBy(schema, body)?.data;
}

function checkedBy<T>(schema: z.ZodType<T>, body: Fields): z.ZodSafeParseResult<T> | undefined {
  try {
    return schema.safeParse({ apikey: ANY_KEY, ...body }, { error: faultText });
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

function namesOf({ shape }: z.ZodObject): ReadonlySet<string> {
  return new Set(Object.keys(shape).filter((name) => name !== 'apikey'));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
