import { createHash } from 'node:crypto';
import { z } from 'zod';
import { bindNumbers, carrierNumbers } from '#contract/carrier-codes.js';
import { parsedUrl } from '../../rules/network-addresses.js';
import { countrySender, text } from './env-values.js';

const BINDS_MAX = 3;
const SENDERS_MAX = 400;
const DEFAULT_PORT = 2775;
const DEFAULT_TLS_PORT = 3550;

const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}` });

/** SMPP 3.4, section 2.7.1.2: `smpp` is over TCP; `smpps` over TLS. */
const urlError = 'must be smpp://host:port or smpps://host:port, without a user, path or query';
const address = z.string({ error: urlError }).transform((value, context) => {
  const parsed = parsedUrl(value);
  const isPlain = parsed && `${parsed.username}${parsed.password}${parsed.search}${parsed.hash}` === '';
  if (!isPlain || !/^smpps?:$/.test(parsed.protocol) || !/^\/?$/.test(parsed.pathname) || parsed.hostname === '') {
    context.addIssue(urlError);
    return z.NEVER;
  }
  const isTls = parsed.protocol === 'smpps:';
  const port = parsed.port === '' ? (isTls ? DEFAULT_TLS_PORT : DEFAULT_PORT) : Number(parsed.port);
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port, isTls };
});

const senderError =
  'must be numbers (+15005550006), short codes (40404) or names of up to 11 letters and digits, each with a ' +
  'country before it if it serves that country only, such as GB:+447700900000';
const senderForm = /^(\+[1-9]\d{6,14}|[1-9]\d{2,7}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/;

const bind = z
  .strictObject(
    {
      name: text(/^[a-z][a-z0-9-]{0,19}$/, 'must be 1 to 20 of a-z, 0-9 and -, and begin with a letter').refine(
        (name) => !Object.hasOwn(carrierNumbers, name),
        { error: `must be none of ${Object.keys(carrierNumbers).join(', ')}` },
      ),
      url: address,
      system_id: text(/^[\x21-\x7e]{1,15}$/, 'must be 1 to 15 ASCII characters without spaces'),
      // Eight characters in SMPP 3.4; peers take longer passwords.
      password: text(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 ASCII characters without spaces'),
      system_type: text(/^[\x20-\x7e]{0,12}$/, 'must be up to 12 ASCII characters').default(''),
      senders: z
        .array(countrySender(senderForm, senderError), { error: senderError })
        .min(1, { error: 'must have at least one sender' })
        .max(SENDERS_MAX, { error: `must have at most ${SENDERS_MAX} senders` }),
      window: whole(1, 1_000).default(10),
      per_second: whole(1, 100_000).optional(),
      per_sender_per_second: whole(1, 100_000).optional(),
      id_base: oneOf(['auto', 'same', 'decimal', 'hex']).default('auto'),
      data_coding: whole(0, 255).default(0),
      addr_ton: whole(0, 6).default(1),
      addr_npi: whole(0, 18).default(1),
      long_texts: oneOf(['udh', 'payload']).default('udh'),
      throttle_seconds: whole(1, 3_600).default(60),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? undefined : 'must be an object') },
  )
  .transform((given) => ({
    name: given.name,
    number: bindNumberOf(given.name),
    address: given.url,
    systemId: given.system_id,
    password: given.password,
    systemType: given.system_type,
    senders: given.senders,
    window: given.window,
    perSecond: given.per_second,
    perSenderPerSecond: given.per_sender_per_second,
    idBase: given.id_base,
    gsm7Coding: given.data_coding,
    ton: given.addr_ton,
    npi: given.addr_npi,
    longTexts: given.long_texts,
    throttleMs: given.throttle_seconds * 1_000,
  }));

/**
 * Returns the number of a bind in stored messages, derived from its name alone: a bind keeps it
 * when other binds are added or removed, and every process knows it without a table. Two names have
 * the same number about once in 32,000 pairs, which the setting or, for a removed bind, the
 * worker's start refuses.
 */
export function bindNumberOf(name: string): number {
  const { first, last } = bindNumbers;
  return first + (createHash('sha256').update(name).digest().readUInt32BE() % (last - first + 1));
}

/** An account at a peer that speaks SMPP 3.4, and its senders. */
export type SmppBindConfig = z.output<typeof bind>;

const list = z.array(bind, { error: 'must be a list' }).max(BINDS_MAX);

const form = 'must be a JSON list of objects, each with name, url, system_id, password and senders';

/**
 * The JSON of a list of binds. Faults are named by the bind's place in the list and the field,
 * never by a value, which may be a password.
 */
export const smppBinds = () =>
  z
    .string()
    .default('[]')
    .transform((value, context): SmppBindConfig[] => {
      const parsed = list.safeParse(jsonOf(value));
      const faults = parsed.success ? faultsBetween(parsed.data) : parsed.error.issues.map(faultOf);
      for (const fault of faults) context.addIssue(fault);
      return parsed.success ? parsed.data : z.NEVER;
    });

/** Returns undefined for text that is not JSON. The parser's error would quote the text. */
function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function faultOf({ code, path: [index, field], message, ...issue }: z.core.$ZodIssue): string {
  if (index === undefined) return code === 'too_big' ? `must have at most ${BINDS_MAX} binds` : form;
  const place = `has a fault in bind ${Number(index) + 1}: `;
  if (code === 'unrecognized_keys' && 'keys' in issue) return `${place}it has no field ${issue.keys.join(', ')}`;
  return `${place}${field === undefined ? 'it' : String(field)} ${message}`;
}

function faultsBetween(binds: readonly SmppBindConfig[]): string[] {
  const faults: string[] = [];
  binds.forEach(({ name, number, senders }, index) => {
    const others = binds.slice(0, index);
    const same = others.find((other) => other.number === number);
    if (same?.name === name) faults.push(`has a fault in bind ${index + 1}: name must be its own`);
    else if (same)
      faults.push(`has a fault in bind ${index + 1}: name has the same number as ${same.name}, so choose another`);
    const taken = new Set(others.flatMap((other) => other.senders.map((one) => one.sender)));
    if (senders.some((one) => taken.has(one.sender)))
      faults.push(`has a fault in bind ${index + 1}: senders must not be those of another bind`);
  });
  return faults;
}
