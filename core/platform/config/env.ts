import { readFileSync } from 'node:fs';
import { parseEnv as parseDotEnv } from 'node:util';
import { parsedUrl } from '../../rules/network-addresses.js';
import { environmentSchema, type Env } from './env-schema.js';
import { misspelledNames, unknownNames } from './known-names.js';
import { parseLocalEnv } from './local-env.js';
import { productionFaults } from './production.js';
import { FILE_SUFFIX, withSecretFiles, type VariableFault } from './secret-files.js';

/** Payments need all of these variables or none. */
const stripeVariables = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_STARTER',
  'STRIPE_PRICE_BASIC',
  'STRIPE_PRICE_PRO',
  'STRIPE_PRICE_ENTERPRISE',
] as const;

/** Telnyx as a carrier needs all of these variables or none. */
const telnyxVariables = ['TELNYX_API_KEY', 'TELNYX_PUBLIC_KEY', 'TELNYX_SENDERS'] as const;
/** Instructions for finding the values. */
const telnyxFixes = {
  TELNYX_API_KEY: 'create one in the Telnyx portal under API keys',
  TELNYX_PUBLIC_KEY: 'copy it from the Telnyx portal, Keys & credentials → Public key',
  TELNYX_SENDERS: 'list the numbers that Telnyx sends from, such as +12025550143',
  TELNYX_MESSAGING_PROFILE_ID: 'copy it from the Telnyx portal, Messaging → Programmable messaging',
} as const;

const CARRIERS_MAX = 4;

/** Names every invalid variable and its fix. The message is printed as it is. */
export class EnvironmentError extends Error {}

/** Validates the environment and reports all faults at once. Throws {@link EnvironmentError}. */
export function parseEnv(variables: NodeJS.ProcessEnv): Env {
  return withoutFaults(validated(variables));
}

interface Validated {
  /** Undefined if there are faults. */
  readonly env: Env | undefined;
  readonly faults: readonly VariableFault[];
}

/** Throws {@link EnvironmentError} if there are faults, here or in `others`. */
function withoutFaults({ env, faults }: Validated, others: readonly string[] = []): Env {
  if (env !== undefined && others.length === 0) return env;
  const sentences = [...others, ...faults.map(({ sentence }) => sentence)];
  throw new EnvironmentError(
    `The settings are incomplete or wrong. ${sentences.join('; ')}. docs/configuration.md explains each variable.`,
  );
}

function validated(variables: NodeJS.ProcessEnv): Validated {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environmentSchema
    .refine((env) => env.QUEUE_BACKEND === 'postgres' || env.REDIS_URL !== undefined, {
      path: ['REDIS_URL'],
      message: 'is not set: give the URL of a Redis, such as redis://127.0.0.1:6379',
      when: () => true,
    })
    .superRefine(({ REDIS_URL: urls = [], REDIS_CLUSTER }, context) => {
      const message = redisFault(urls, REDIS_CLUSTER === 'true');
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['REDIS_URL'], message });
    })
    .refine((env) => env.DISPATCH_LEASE_SECONDS * 1_000 >= 3 * env.CARRIER_TIMEOUT_MS, {
      path: ['DISPATCH_LEASE_SECONDS'],
      message: 'must be at least three times CARRIER_TIMEOUT_MS, so that a claim outlives its call to the carrier',
    })
    .refine((env) => (env.GOOGLE_CLIENT_ID === undefined) === (env.GOOGLE_CLIENT_SECRET === undefined), {
      path: ['GOOGLE_CLIENT_SECRET'],
      message: 'and GOOGLE_CLIENT_ID belong together: give both, or none',
      when: () => true,
    })
    .refine((env) => (env.INVOICE_SELLER_NAME === undefined) === (env.INVOICE_SELLER_ADDRESS === undefined), {
      path: ['INVOICE_SELLER_ADDRESS'],
      message: 'and INVOICE_SELLER_NAME belong together: give both, or none',
      when: () => true,
    })
    .refine((env) => (env.MEDIA_S3_ACCESS_KEY_ID === undefined) === (env.MEDIA_S3_SECRET_ACCESS_KEY === undefined), {
      path: ['MEDIA_S3_SECRET_ACCESS_KEY'],
      message: 'and MEDIA_S3_ACCESS_KEY_ID belong together: give both, or none',
      when: () => true,
    })
    .superRefine((env, context) => {
      const missing = stripeVariables.filter((name) => env[name] === undefined);
      if (missing.length === stripeVariables.length) return;
      for (const name of missing)
        context.addIssue({ code: 'custom', path: [name], message: 'is not set: payments need it beside the others' });
    })
    .superRefine((env, context) => {
      const missing = telnyxVariables.filter((name) => env[name] === undefined);
      if (missing.length === telnyxVariables.length) return;
      const present = telnyxVariables.find((name) => env[name] !== undefined);
      for (const name of missing) {
        const message = `is not set, but ${present} is: ${telnyxFixes[name]}, or remove the others`;
        context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .superRefine((env, context) => {
      if (env.NUMBER_CARRIER !== 'telnyx') return;
      for (const name of [...telnyxVariables, 'TELNYX_MESSAGING_PROFILE_ID'] as const) {
        // A partly set Telnyx configuration is a fault already.
        const isReported = name !== 'TELNYX_MESSAGING_PROFILE_ID' && telnyxVariables.some((one) => env[one]);
        if (env[name] !== undefined || isReported) continue;
        const fix = `${telnyxFixes[name]}, or remove NUMBER_CARRIER`;
        const message = `is not set, but NUMBER_CARRIER=telnyx needs it: ${fix}`;
        context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .superRefine(({ TWILIO_SENDERS: first, TELNYX_SENDERS: further = [] }, context) => {
      const twice = further.find(({ sender }) => first.some((other) => other.sender === sender));
      if (twice === undefined) return;
      const message = 'must have no sender of TWILIO_SENDERS: a number belongs to one carrier';
      context.addIssue({ code: 'custom', path: ['TELNYX_SENDERS'], message });
    })
    .superRefine((env, context) => {
      const message = bindsFault(env);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['SMPP_BINDS'], message });
    })
    .safeParse(given);
  if (parsed.success) return { env: parsed.data, faults: [] };
  const faults = parsed.error.issues.map(({ path, message }) => {
    const variable = String(path[0]);
    const isMissing = given[variable] === undefined && !/^(is not set|and )/.test(message);
    return { variable, sentence: isMissing ? `${variable} is not set: ${message}` : `${variable} ${message}` };
  });
  return { env: undefined, faults };
}

/**
 * Returns the conflict between the binds and the other carriers, to be read after the variable's
 * name.
 */
function bindsFault({
  SMPP_BINDS: binds,
  TWILIO_SENDERS: twilio,
  TELNYX_SENDERS: telnyx,
}: Pick<Env, 'SMPP_BINDS' | 'TWILIO_SENDERS' | 'TELNYX_SENDERS'>): string | undefined {
  const others = telnyx === undefined ? 1 : 2;
  if (others + binds.length > CARRIERS_MAX)
    return `must have at most ${CARRIERS_MAX - others} binds beside the other carriers: ${CARRIERS_MAX} is the most`;
  const taken = new Set([...twilio, ...(telnyx ?? [])].map(({ sender }) => sender));
  const twice = binds.findIndex(({ senders }) => senders.some(({ sender }) => taken.has(sender)));
  return twice < 0
    ? undefined
    : `has a fault in bind ${twice + 1}: senders must not be those of TWILIO_SENDERS or TELNYX_SENDERS, ` +
        'because a sender belongs to one carrier';
}

/**
 * Returns the fault of Redis's addresses, to be read after the variable's name; undefined without a
 * fault.
 */
function redisFault(urls: readonly string[], isCluster: boolean): string | undefined {
  if (!isCluster)
    return urls.length > 1
      ? 'has more than one address: give one, or set REDIS_CLUSTER=true if they are nodes of a Redis Cluster'
      : undefined;
  // Invalid URLs have their own message.
  const nodes = urls.map((text) => parsedUrl(text)).filter((node) => node !== undefined);
  if (new Set(nodes.map(({ protocol, username, password: word }) => `${protocol}//${username}:${word}`)).size > 1)
    return 'must have the same scheme, user and password in every address: they are used for all nodes of the cluster';
  // https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/: a cluster has
  // database 0 only.
  if (nodes.some(({ pathname }) => !/^(\/0?)?$/.test(pathname)))
    return 'must name no database: a Redis Cluster has only one';
  return undefined;
}

/**
 * Reads the environment of this process, `.env`, and the file in which `npm start` stores its
 * embedded services' addresses. Every program starts with it. Throws {@link EnvironmentError}, also
 * for settings that must not run at a public address.
 */
export function loadEnv(): Env {
  return parseProgramEnv(programVariables());
}

/**
 * Like {@link parseEnv}, with secrets from files, the rules of production, and a refusal of
 * misspelled names.
 */
export function parseProgramEnv(variables: NodeJS.ProcessEnv): Env {
  const { values, faults: unread } = withSecretFiles(variables);
  const { env: parsed, faults } = validated(values);
  const isUnread = (name: string) => unread.some(({ variable }) => variable === name);
  const env = withoutFaults({ env: parsed, faults: faults.filter(({ variable }) => !isUnread(variable)) }, [
    ...unread.map(({ sentence }) => sentence),
    ...misspelledNames(namesOfGiven(values)),
  ]);
  const unfit = productionFaults(values);
  if (unfit.length === 0) return env;
  throw new EnvironmentError(
    'PUBLIC_URL is not local, so the environment is one of production, and these settings are not fit ' +
      `for it. ${unfit.join('; ')}. docs/configuration.md explains each variable.`,
  );
}

function namesOfGiven(variables: NodeJS.ProcessEnv): string[] {
  return Object.entries(variables).flatMap(([name, value]) => (value ? [name] : []));
}

/** Returns the names in `.env` that no program reads. */
export function unknownNamesOfDotEnv(): string[] {
  return unknownNames(namesOfGiven(dotEnv()));
}

/** Returns whether log lines are JSON, also while the environment is invalid. */
export function logsAreJson(isTerminal: boolean): boolean {
  const format = givenLogFormat();
  return format === undefined ? !isTerminal : format !== 'pretty';
}

function givenLogFormat(): string | undefined {
  try {
    return programVariables().LOG_FORMAT || undefined;
  } catch {
    // An unreadable file is reported as the reason why the program does not start.
    return process.env.LOG_FORMAT || undefined;
  }
}

function programVariables(): NodeJS.ProcessEnv {
  return withPlatformHost({ ...localEnvironment(process.env), ...process.env }, process.env);
}

/**
 * Returns the variables with the address to listen on where a platform runs this process: it sets
 * `PORT` in the environment, and reaches the process from another machine. A program started by
 * hand is reached only from this machine.
 */
function withPlatformHost(variables: NodeJS.ProcessEnv, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return variables.HOST || !environment.PORT ? variables : { ...variables, HOST: '0.0.0.0' };
}

/**
 * Returns the environment of a program that this process starts: its own environment and `more`.
 */
export function childEnvironment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more };
}

/**
 * `.data/local.env` serves `npm run admin`; it is ignored if a database is configured elsewhere.
 */
function localEnvironment(variables: NodeJS.ProcessEnv): Record<string, string> {
  const own = dotEnv();
  const names = ['DATABASE_URL', `DATABASE_URL${FILE_SUFFIX}`];
  const isConfigured = names.some((name) => variables[name] || own[name]);
  return isConfigured ? own : { ...writtenByStart(), ...own };
}

function writtenByStart(): Record<string, string> {
  const text = textOf('.data/local.env');
  try {
    return parseLocalEnv(text);
  } catch (cause) {
    throw new EnvironmentError('.data/local.env is damaged. Run npm start, which writes it.', { cause });
  }
}

function dotEnv(): Record<string, string> {
  const entries = Object.entries(parseDotEnv(textOf('.env')));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Returns '' if the file does not exist. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw cause;
  }
}
