import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { regions } from '#contract/regions.js';
import { parsedUrl } from '../../rules/network-addresses.js';
import { COST_USD_MAX } from '../../rules/route-prices.js';

// Forms of values of environment variables. Each error completes the sentence that begins with the
// variable's name.

export const count = (fallback: number, min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error }).default(fallback);
};
/** Dollars up to a bound above which an amount is probably in another unit; undefined for an unknown amount. */
export const dollars = () => {
  const error = `must be US dollars from 0 to ${COST_USD_MAX}, such as 0.014`;
  return z
    .string()
    .regex(/^\d{1,2}(\.\d{1,6})?$/, { error })
    .refine((value) => Number(value) <= COST_USD_MAX, { error })
    .optional();
};
export const port = (fallback: number) => count(fallback, 1, 65_535);
export const flag = (fallback: boolean) =>
  z.enum(['true', 'false'], { error: 'must be true or false' }).default(fallback ? 'true' : 'false');
/** A string whose `error` is also shown if the variable is missing. */
export const text = (form: RegExp, error: string) => z.string({ error }).regex(form, { error });
export const url = (protocol: RegExp, error: string) => z.url({ protocol, error });
export const httpUrl = () => url(/^https?$/, 'must be an http(s) URL').optional();
export const postgresUrl = () =>
  url(/^postgres(ql)?$/, 'must be a postgres:// URL').refine(
    // Here and below, a value that is not a URL has its own message.
    (value) => !/^\/?$/.test(parsedUrl(value)?.pathname ?? 'none'),
    { error: 'names no database: end it with one, such as /pennytext' },
  );
/** Pages, callbacks and cookies are at the root of a host. */
export const publicUrl = () =>
  url(/^https?$/, 'must be the http(s) URL at which the product is reached').refine(hasNothingAfterHost, {
    error: 'must end after the host and port, without a path, query or user, such as https://sms.example.com',
  });
export const base64Key = () => text(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64: openssl rand -base64 32');
export const password = () =>
  text(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 ASCII characters without spaces').optional();
export const priceId = () =>
  text(/^price_/, 'must be the id of a price, price_…, as the Stripe dashboard shows it').optional();

/** A Twilio number or messaging service. */
export const senderForm = /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32})$/;
const numberForm = /^\+[1-9]\d{6,14}$/;
const senderCountries = 'each with a country before it if it serves that country only, such as GB:+447700900000';
const sendersMax = 400;
const countries: ReadonlySet<string> = new Set(regions.map(({ iso2 }) => iso2));
const senderCountry = 'must name countries of the region table by two letters, such as GB:+447700900000 for the UK';
const senderForAll = 'must have a sender without a country, for the countries that have none of their own';

/**
 * Parses 'GB:+447700900000' (one country) and '+15005550006' (all countries without their own
 * sender).
 */
function senderOf(entry: string): { country?: string | undefined; sender: string } {
  const [first = '', second] = entry.split(/:(.*)/s, 2).map((part) => part.trim());
  return second === undefined ? { country: undefined, sender: first } : { country: first, sender: second };
}

/** A sender of a form, and its country if it serves only one. */
export const countrySender = (form: RegExp, error: string) =>
  z
    .string({ error })
    .transform(senderOf)
    .pipe(
      z.object({
        country: z
          .string()
          .refine((country) => countries.has(country), { error: senderCountry })
          .optional(),
        sender: text(form, error),
      }),
    );

const senderList = (form: RegExp, error: string) =>
  z
    .string({ error })
    .transform((value) => value.split(','))
    .pipe(z.array(countrySender(form, error)).max(sendersMax, { error: `must have at most ${sendersMax} senders` }));

/** Senders of the first carrier: at least one serves the countries without their own sender. */
export const senders = () =>
  senderList(senderForm, `must be +numbers or MG… ids, separated by commas, ${senderCountries}`).refine(
    (list) => list.some(({ country }) => country === undefined),
    { error: senderForAll },
  );

/** Senders of a further carrier, which may serve only some countries. */
export const furtherSenders = () =>
  senderList(numberForm, `must be +numbers, separated by commas, ${senderCountries}`).optional();

export const redisUrls = () =>
  z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(url(/^rediss?$/, 'must be a redis:// or rediss:// URL')))
    .optional();

export const oldKeys = () =>
  z
    .string()
    .default('')
    .transform((value) => value.split(',').filter((key) => key !== ''))
    .pipe(
      z.array(text(/^[A-Za-z0-9+/]{43}=$/, 'must be earlier encryption keys in base64, separated by commas')).max(10),
    );

function hasNothingAfterHost(value: string): boolean {
  const parsed = parsedUrl(value);
  if (parsed === undefined) return true;
  const { pathname, search, hash, username, password: word } = parsed;
  return pathname === '/' && `${search}${hash}${username}${word}` === '';
}

const HOPS_MAX = 9;
const proxyForm =
  `must be the number of proxies (1 to ${HOPS_MAX}), or their addresses and CIDR ranges separated by ` +
  'commas; 0 for none';
const trustEveryone =
  'must not be true: a client could then name any address as its own and evade limits and blocks. ' +
  'Give the number of proxies in front of the server, such as 1, or their addresses as a CIDR list';

/** The `trustProxy` option of Fastify without its unsafe value. */
export const trustedProxies = () =>
  z
    .string()
    .default('0')
    .refine((value) => value !== 'true', { error: trustEveryone, abort: true })
    .transform((value) => (value === 'false' ? '0' : value).split(',').map((part) => part.trim()))
    .refine((parts) => isHopCount(parts) || parts.every(isNetwork), { error: proxyForm })
    .transform((parts) => (isHopCount(parts) ? Number(parts[0]) || (false as const) : parts));

function isHopCount(parts: readonly string[]): boolean {
  return parts.length === 1 && new RegExp(`^[0-${HOPS_MAX}]$`).test(parts[0] ?? '');
}

function isNetwork(address: string): boolean {
  return address.includes('/') ? ipaddr.isValidCIDR(address) : isIP(address) !== 0;
}

export const retryWaits = () =>
  z
    .string()
    .default('5,300,1800,7200,18000,36000,50400,72000,86400')
    .transform((value) => value.split(',').map((seconds) => seconds.trim()))
    .pipe(
      z
        .array(text(/^\d{1,6}$/, 'must be seconds between attempts, separated by commas'))
        .min(1)
        .max(20),
    )
    .transform((values) => values.map(Number));
