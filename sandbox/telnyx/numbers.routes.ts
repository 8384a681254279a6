import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { changedByFault, LIST_MODES, NUMBER_RELEASE_MODES } from '../carriers/numbers/number-faults.js';
import { isSold } from '../carriers/numbers/number-inventory.js';
import type { NumberStore, OwnedNumber } from '../carriers/numbers/number-store.js';
import { phoneNumber } from '../carriers/phone-numbers.js';
import { failAfter, failBefore, type FaultErrors, type Faults } from '../control/faults.js';
import { PROFILE } from './message-resource.js';
import type { NumberOrders } from './number-orders.js';
import { availableResource, messagingResource, orderResource, ownedResource } from './number-resources.js';
import { badRequest, notFound, TelnyxError, unauthenticated } from './telnyx-error.js';

interface NumberParts {
  readonly numbers: NumberStore;
  readonly orders: NumberOrders;
  readonly faults: Faults;
}

const PAGE_SIZE_DEFAULT = 20;
const PAGE_SIZE_MAX = 250;
const LISTED_DEFAULT = 100;

/** Telnyx's reference names no code for this error. */
const notAvailable = (number: string) => badRequest(`${number} is not available.`);

/** Faults of every call. */
const ERRORS: FaultErrors = {
  '429': () => new TelnyxError('10011', 'Too many requests', 'You have exceeded the maximum of requests.', 429),
  '500': () => new TelnyxError('10007', 'Unexpected error', 'An unexpected error occurred.', 500),
  suspended: unauthenticated,
};
/** Faults of an order, before and after it is taken. */
const ERRORS_BEFORE: FaultErrors = {
  ...ERRORS,
  refuse: () => new TelnyxError('10010', 'Authorization failed', 'You may not order numbers.', 403),
  taken: () => notAvailable('The phone number'),
};
const ERRORS_AFTER: FaultErrors = {
  'accepted-then-5xx': () => new TelnyxError('10007', 'Unexpected error', 'Gateway timeout.', 504),
};

/** Types of numbers by Telnyx's names and by the inventory's. */
const types = { local: 'Local', toll_free: 'TollFree' } as const;

// An unescaped plus sign in a query arrives as a space.
const given = z.string().transform((text) => text.replace(/^ (?=\d)/, '+'));
const features = z.string().regex(/^(sms|mms|voice)(,(sms|mms|voice))*$/);

// Telnyx refuses a filter that it does not know. Its SDK writes a list with commas.
const availableQuery = z.strictObject({
  'filter[country_code]': z.string().refine(isSold),
  'filter[phone_number_type]': z.enum(['local', 'toll_free']).default('local'),
  'filter[national_destination_code]': z
    .string()
    .regex(/^\d{3}$/)
    .optional(),
  'filter[phone_number][contains]': z.string().regex(/^\d+$/).optional(),
  'filter[features]': features.optional(),
  'filter[features][]': features.optional(),
  'filter[best_effort]': z.enum(['true', 'false']).optional(),
  'filter[limit]': z.coerce.number().int().min(1).default(LISTED_DEFAULT),
});
const page = {
  'page[number]': z.coerce.number().int().min(1).default(1),
  'page[size]': z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
};
const ordersQuery = z.strictObject({ 'filter[customer_reference]': z.string().optional(), ...page });
const ownedQuery = z.strictObject({
  'filter[customer_reference]': z.string().optional(),
  'filter[phone_number]': given.optional(),
  ...page,
});

const profile = z.literal(PROFILE.id).nullable();
const orderBody = z.object({
  phone_numbers: z.array(z.object({ phone_number: z.string() })).length(1),
  customer_reference: z.string().nullable().default(null),
  messaging_profile_id: profile.default(null),
});

interface OneNumber {
  readonly Params: { readonly id: string };
}

/** Telnyx's number search, number orders and phone numbers, under /v2. */
export function numberRoutes({ numbers, orders, faults }: NumberParts) {
  const owned = (id: string): OwnedNumber => {
    const number = numbers.get('telnyx', id);
    if (number === undefined) throw notFound();
    return number;
  };

  // Routes with faults are not async, because a fault may leave a request without an answer.
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/available_phone_numbers', (request, reply) => {
      const fault = faults.take('numbers', LIST_MODES);
      if (!failBefore(fault, faults, reply, ERRORS)) return;
      const query = parsed(availableQuery, request.url);
      const search = {
        country: query['filter[country_code]'],
        type: types[query['filter[phone_number_type]']],
        areaCode: query['filter[national_destination_code]'] ?? null,
        contains: query['filter[phone_number][contains]'] ?? null,
      };
      const data = numbers
        .available(search, query['filter[limit]'])
        .map((number) => availableResource(changedByFault(number, fault.mode)));
      const meta = { total_results: data.length, best_effort_results: 0 };
      failAfter(fault, reply, () => void reply.send({ data, meta, metadata: meta }), {});
    });

    app.post('/number_orders', (request, reply) => {
      const fault = faults.take('numbers');
      if (!failBefore(fault, faults, reply, ERRORS_BEFORE)) return;
      const {
        phone_numbers,
        customer_reference: reference,
        messaging_profile_id: profileId,
      } = body(orderBody, request.body);
      const text = phone_numbers[0]?.phone_number ?? '';
      const number = phoneNumber(text);
      if (number === null) throw new TelnyxError('10016', 'Phone number must be in +E.164 format', text, 422);
      if (!numbers.isFree(number)) throw notAvailable(number);
      const data = orderResource(orders.add({ phoneNumber: number, reference, profileId }, fault));
      failAfter(fault, reply, () => void reply.send({ data }), ERRORS_AFTER);
    });

    app.get('/number_orders', (request, reply) => {
      const fault = faults.take('numbers', LIST_MODES);
      if (!failBefore(fault, faults, reply, ERRORS)) return;
      const { 'filter[customer_reference]': reference, ...paging } = parsed(ordersQuery, request.url);
      const found = orders.list().filter((order) => (reference ?? order.reference) === order.reference);
      failAfter(fault, reply, () => void reply.send(paged(found.map(orderResource), paging)), {});
    });

    app.get<OneNumber>('/number_orders/:id', async (request) => {
      const order = orders.get(request.params.id);
      if (order === undefined) throw notFound();
      return { data: orderResource(order) };
    });

    app.get('/phone_numbers', (request, reply) => {
      const fault = faults.take('numbers', LIST_MODES);
      if (!failBefore(fault, faults, reply, ERRORS)) return;
      const {
        'filter[customer_reference]': name,
        'filter[phone_number]': part,
        ...paging
      } = parsed(ownedQuery, request.url);
      const found = numbers
        .list('telnyx')
        .reverse()
        .filter((one) => (name ?? one.friendlyName) === one.friendlyName && one.phoneNumber.includes(part ?? ''));
      failAfter(fault, reply, () => void reply.send(paged(found.map(ownedResource), paging)), {});
    });

    app.get<OneNumber>('/phone_numbers/:id', async (request) => ({ data: ownedResource(owned(request.params.id)) }));

    app.patch<OneNumber>('/phone_numbers/:id', async (request) => {
      const { customer_reference: friendlyName } = body(z.object({ customer_reference: z.string() }), request.body);
      return { data: ownedResource(numbers.change(owned(request.params.id), { friendlyName })) };
    });

    app.delete<OneNumber>('/phone_numbers/:id', (request, reply) => {
      const fault = faults.take('numbers', NUMBER_RELEASE_MODES);
      if (!failBefore(fault, faults, reply, ERRORS)) return;
      const number = owned(request.params.id);
      numbers.release('telnyx', number.sid);
      const data = { ...ownedResource(number), status: 'deleted' };
      failAfter(fault, reply, () => void reply.send({ data }), ERRORS_AFTER);
    });

    app.get<OneNumber>('/phone_numbers/:id/messaging', async (request) => ({
      data: messagingResource(owned(request.params.id)),
    }));

    app.patch<OneNumber>('/phone_numbers/:id/messaging', async (request) => {
      const { messaging_profile_id: profileId } = body(z.object({ messaging_profile_id: profile }), request.body);
      return { data: messagingResource(numbers.change(owned(request.params.id), { profileId })) };
    });
  };
}

interface Paging {
  readonly 'page[number]': number;
  readonly 'page[size]': number;
}

function paged(list: readonly object[], { 'page[number]': number, 'page[size]': size }: Paging) {
  const meta = {
    page_number: number,
    page_size: size,
    total_pages: Math.ceil(list.length / size),
    total_results: list.length,
  };
  return { data: list.slice((number - 1) * size, number * size), meta };
}

/** Throws TelnyxError. */
function parsed<T>(schema: z.ZodType<T>, url: string): T {
  const query = new URL(url, 'http://sandbox').searchParams;
  const result = schema.safeParse(Object.fromEntries(query));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const names = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue?.path.join('.');
  throw badRequest(`The parameter ${names} is not valid.`);
}

/** Throws TelnyxError. */
function body<T>(schema: z.ZodType<T>, sent: unknown): T {
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  throw badRequest(`The field ${result.error.issues[0]?.path.join('.') || 'body'} is not valid.`);
}
