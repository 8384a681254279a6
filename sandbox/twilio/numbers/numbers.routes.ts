import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { phoneNumber } from '../../carriers/phone-numbers.js';
import { failAfter, failBefore, type FaultErrors, type FaultMode, type Faults } from '../../control/faults.js';
import { parsedUrl } from '../../http.js';
import { JSON_TYPE, notFound, TwilioError, unauthenticated } from '../twilio-error.js';
import { isSold, NUMBER_TYPES } from '../../carriers/numbers/number-inventory.js';
import { changedByFault, LIST_MODES, NUMBER_RELEASE_MODES } from '../../carriers/numbers/number-faults.js';
import type { NumberStore, OwnedNumber } from '../../carriers/numbers/number-store.js';
import { availableResource, ownedResource } from './number-resources.js';

interface NumberParts {
  readonly accountSid: string;
  readonly numbers: NumberStore;
  readonly faults: Faults;
}

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1_000;
const FRIENDLY_NAME_CHARACTERS_MAX = 64;

const notAvailable = (number: string) => new TwilioError(21422, `${number} is not available`);
const needsAddress = () =>
  new TwilioError(21631, "Phone Number Requires an Address but the 'AddressSid' parameter was empty.");

/** Faults of every call. */
const ERRORS: FaultErrors = {
  '429': () => new TwilioError(20429, 'Too Many Requests', 429),
  '500': () => new TwilioError(20500, 'An internal server error has occurred', 500),
  suspended: unauthenticated,
};
/** Faults of a purchase, before and after the number is the product's. */
const ERRORS_BEFORE: FaultErrors = {
  ...ERRORS,
  refuse: () => new TwilioError(21404, 'Phone number provisioning is not enabled for this account', 403),
  taken: () => notAvailable('The phone number'),
  'other-country': needsAddress,
};
const ERRORS_AFTER: FaultErrors = {
  'accepted-then-5xx': () => new TwilioError(20504, 'Gateway Timeout', 504),
};
// An unescaped plus sign in a query arrives as a space.
const given = z.string().transform((text) => text.replace(/^ (?=\d)/, '+'));

const availableQuery = z.object({
  AreaCode: z
    .string()
    .regex(/^\d{3}$/)
    .optional(),
  Contains: z.string().min(2).max(16).optional(),
  PageSize: z.coerce.number().int().min(1).default(PAGE_SIZE_DEFAULT),
});
const ownedQuery = z.object({
  FriendlyName: z.string().optional(),
  PhoneNumber: given.optional(),
  PageSize: z.coerce.number().int().min(1).default(PAGE_SIZE_DEFAULT),
  Page: z.coerce.number().int().min(0).default(0),
});

/** Twilio's AvailablePhoneNumbers and IncomingPhoneNumbers, under /2010-04-01. */
export function numberRoutes({ accountSid, numbers, faults }: NumberParts) {
  const account = `/2010-04-01/Accounts/${accountSid}`;

  return async (app: FastifyInstance): Promise<void> => {
    for (const type of NUMBER_TYPES)
      app.get<{ Params: { country: string } }>(
        `/Accounts/:accountSid/AvailablePhoneNumbers/:country/${type}.json`,
        (request, reply) => {
          const { country } = request.params;
          const fault = faults.take('numbers', LIST_MODES);
          if (!failBefore(fault, faults, reply, ERRORS)) return;
          if (!isSold(country)) throw notFound(request.url);
          const query = parsed(availableQuery, request.url);
          const search = { country, type, areaCode: query.AreaCode ?? null, contains: query.Contains ?? null };
          const found = numbers.available(search, Math.min(query.PageSize, PAGE_SIZE_MAX));
          const listed = found.map((number) => availableResource(changedByFault(number, fault.mode)));
          const uri = `${account}/AvailablePhoneNumbers/${country}/${type}.json`;
          const send = () => void reply.type(JSON_TYPE).send({ available_phone_numbers: listed, uri });
          failAfter(fault, reply, send, {});
        },
      );

    app.post('/Accounts/:accountSid/IncomingPhoneNumbers.json', (request, reply) => {
      const fault = faults.take('numbers');
      if (!failBefore(fault, faults, reply, ERRORS_BEFORE)) return;
      const number = buy(numbers, request.body as URLSearchParams, fault.mode);
      const resource = JSON.stringify(ownedResource(number, accountSid));
      failAfter(
        fault,
        reply,
        () => void reply.code(201).header('content-type', JSON_TYPE).send(resource),
        ERRORS_AFTER,
      );
    });

    app.get('/Accounts/:accountSid/IncomingPhoneNumbers.json', (request, reply) => {
      const fault = faults.take('numbers', LIST_MODES);
      if (!failBefore(fault, faults, reply, ERRORS)) return;
      const page = ownedPage(numbers, request.url, `${account}/IncomingPhoneNumbers.json`);
      const listed = page.numbers.map((number) => ownedResource(number, accountSid));
      const send = () => void reply.type(JSON_TYPE).send({ incoming_phone_numbers: listed, ...page.links });
      failAfter(fault, reply, send, {});
    });

    app.get<{ Params: { file: string } }>('/Accounts/:accountSid/IncomingPhoneNumbers/:file', async (request) => {
      const number = numbers.get('twilio', request.params.file.replace(/\.json$/, ''));
      if (number === undefined) throw notFound(request.url);
      return ownedResource(number, accountSid);
    });

    app.delete<{ Params: { file: string } }>('/Accounts/:accountSid/IncomingPhoneNumbers/:file', (request, reply) => {
      const fault = faults.take('numbers', NUMBER_RELEASE_MODES);
      if (!failBefore(fault, faults, reply, ERRORS)) return;
      if (!numbers.release('twilio', request.params.file.replace(/\.json$/, ''))) throw notFound(request.url);
      failAfter(fault, reply, () => void reply.code(204).send(), ERRORS_AFTER);
    });
  };
}

/** Throws TwilioError. */
function buy(numbers: NumberStore, form: URLSearchParams, mode: FaultMode): OwnedNumber {
  const text = form.get('PhoneNumber') ?? '';
  const number = phoneNumber(text);
  if (number === null) throw new TwilioError(21421, `PhoneNumber ${text} is invalid`);
  const friendlyName = form.get('FriendlyName');
  if ((friendlyName?.length ?? 0) > FRIENDLY_NAME_CHARACTERS_MAX)
    throw new TwilioError(21403, `FriendlyName must be at most ${FRIENDLY_NAME_CHARACTERS_MAX} characters`);
  const smsUrl = form.get('SmsUrl');
  if (smsUrl !== null && !parsedUrl(smsUrl)) throw new TwilioError(21502, `SmsUrl is not a valid URL: ${smsUrl}`);
  if (!numbers.isFree(number)) throw notAvailable(number);
  const capabilities = { voice: true, sms: mode !== 'no-sms', mms: mode !== 'no-sms' };
  const names = { friendlyName: friendlyName ?? number, smsUrl: smsUrl ?? '', profileId: null };
  const sid = `PN${randomUUID().replaceAll('-', '')}`;
  return numbers.buy({ carrier: 'twilio', sid, phoneNumber: number, ...names, capabilities });
}

function ownedPage(numbers: NumberStore, url: string, path: string) {
  const { FriendlyName: name, PhoneNumber: number, PageSize, Page: page } = parsed(ownedQuery, url);
  const pageSize = Math.min(PageSize, PAGE_SIZE_MAX);
  const found = numbers
    .list('twilio')
    .filter(
      (one) => (name ?? one.friendlyName) === one.friendlyName && (number ?? one.phoneNumber) === one.phoneNumber,
    );
  const start = page * pageSize;
  const link = (target: number) => {
    const query = new URL(url, 'http://sandbox').searchParams;
    query.set('PageSize', String(pageSize));
    query.set('Page', String(target));
    return `${path}?${query}`;
  };
  const shown = found.slice(start, start + pageSize);
  return {
    numbers: shown,
    links: {
      first_page_uri: link(0),
      next_page_uri: found.length > start + pageSize ? link(page + 1) : null,
      previous_page_uri: page > 0 ? link(page - 1) : null,
      uri: link(page),
      page,
      page_size: pageSize,
      start,
      end: start + Math.max(shown.length - 1, 0),
    },
  };
}

/** Throws TwilioError. */
function parsed<T>(schema: z.ZodType<T>, url: string): T {
  const query = new URL(url, 'http://sandbox').searchParams;
  const result = schema.safeParse(Object.fromEntries([...query].filter(([, value]) => value !== '')));
  if (result.success) return result.data;
  throw new TwilioError(20001, `Parameter '${result.error.issues[0]?.path.join('.')}' is not valid`);
}
