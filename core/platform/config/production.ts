import ipaddr from 'ipaddr.js';
import { isLoopbackName, parsedUrl } from '../../rules/network-addresses.js';

/** Values of the environment by name; an empty or missing value is undefined. */
type Values = Readonly<Record<string, string | undefined>>;

/** A setting that must not run at a public address. */
interface ProductionRule {
  readonly variable: string;
  /** Fault and fix; completes the sentence that begins with the variable's name. */
  readonly fix: string;
  readonly refuses: (value: string, values: Values) => boolean;
}

/** Credentials in sandbox.env and in the defaults of the sandbox, which are public. */
const published = {
  API_KEY_HASH_SECRET: 'c2FuZGJveCBvbmx5OiBldmVyeWJvZHkga25vd3MgaXQ=',
  API_KEY_ENCRYPTION_KEY: 'c2FuZGJveCBvbmx5OiBub3RoaW5nIHJlYWwgaXMgaXQ=',
  TWILIO_ACCOUNT_SID: 'AC5a9db0c55a9db0c55a9db0c55a9db0c5',
  TWILIO_AUTH_TOKEN: 'sandbox-auth-token',
  TELNYX_API_KEY: 'KEY_sandbox',
  TELNYX_PUBLIC_KEY: 'xcoq0gutByTpfJ9DoIAR4//RmsxxklziM0uJ6yIlPYw=',
  GOOGLE_CLIENT_ID: 'sandbox-client',
  GOOGLE_CLIENT_SECRET: 'sandbox-secret',
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
} as const;

const keys = ['API_KEY_HASH_SECRET', 'API_KEY_ENCRYPTION_KEY'] as const;
const ownKey = 'make another with openssl rand -base64 32';

/** Addresses of vendors, and the fix for an address that leads elsewhere. */
const vendorAddresses = {
  TWILIO_API_URL: "remove it, and Twilio's own is used",
  TELNYX_API_URL: "remove it, and Telnyx's own is used",
  STRIPE_API_URL: "remove it, and Stripe's own is used",
  GOOGLE_BASE_URL: "remove it, and Google's own is used",
} as const;

/** Passwords that the operator invents. */
const passwords = ['METRICS_TOKEN', 'QUEUE_BOARD_PASSWORD'] as const;
const PASSWORD_CHARACTERS_MIN = 6;

/** All rules for a PUBLIC_URL that is not local. */
export const productionRules: readonly ProductionRule[] = [
  {
    variable: 'PUBLIC_URL',
    fix: 'must be https: over http every password, key and text can be read on its way',
    refuses: (value) => parsedUrl(value)?.protocol !== 'https:',
  },
  ...Object.entries(published).map(([variable, sandboxValue]) => ({
    variable,
    fix: isKey(variable)
      ? `is the sandbox's, which everybody can read: ${ownKey}`
      : "is the sandbox's, which everybody can read: set your own, from the vendor's console",
    refuses: (value: string) =>
      isKey(variable) ? bytesOf(value).equals(bytesOf(sandboxValue)) : value === sandboxValue,
  })),
  ...keys.map((variable) => ({
    variable,
    fix: `is not random: ${ownKey}`,
    refuses: (value: string) => isTrivial(bytesOf(value)),
  })),
  {
    variable: 'API_KEY_ENCRYPTION_KEY',
    fix: `must differ from API_KEY_HASH_SECRET: ${ownKey}`,
    refuses: (value, { API_KEY_HASH_SECRET: other = '' }) => bytesOf(value).equals(bytesOf(other)),
  },
  {
    variable: 'API_KEY_ENCRYPTION_KEYS_OLD',
    fix: 'must not contain API_KEY_HASH_SECRET: list encryption keys only',
    refuses: (value, { API_KEY_HASH_SECRET: other = '' }) =>
      value.split(',').some((key) => bytesOf(key).equals(bytesOf(other))),
  },
  ...passwords.map((variable) => ({
    variable,
    fix: 'is too easy to guess: openssl rand -hex 24',
    refuses: (value: string) => new Set(value).size < PASSWORD_CHARACTERS_MIN,
  })),
  {
    variable: 'ALLOW_PRIVATE_WEBHOOKS',
    fix: 'must not be true: customers could reach your own network. Remove it',
    refuses: (value) => value === 'true',
  },
  ...Object.entries(vendorAddresses).map(([variable, remedy]) => ({
    variable,
    fix: `leads to the sandbox, to this machine or over plain http: ${remedy}`,
    refuses: (value: string) => parsedUrl(value)?.protocol !== 'https:' || isSandboxOrLoopback(value),
  })),
  {
    variable: 'SMPP_BINDS',
    fix: "has the sandbox's password, which everybody can read: set that of your account at the peer",
    refuses: (value) => /"password"\s*:\s*"sandbox"/.test(value),
  },
  {
    variable: 'SMTP_URL',
    fix: 'leads to the sandbox or to loopback: give the name of your mail server; one on this machine by its host name',
    refuses: isSandboxOrLoopback,
  },
  {
    variable: 'CUSTOM_SIGN_IN_ENABLED',
    fix: 'needs SMTP_URL: new accounts and forgotten passwords are confirmed by email. Set SMTP_URL, or remove it',
    refuses: (value, { SMTP_URL: mailServer }) => value === 'true' && mailServer === undefined,
  },
  ...['DATABASE_URL', 'DATABASE_DIRECT_URL', 'MIGRATION_DATABASE_URL'].map((variable) => ({
    variable,
    fix: 'still has the placeholder PASSWORD of .env.example: put the password of your database there',
    refuses: (value: string) => parsedUrl(value)?.password === 'PASSWORD',
  })),
];

/**
 * Returns the settings that must not run at a public address, one sentence for each fault, without
 * values; empty if PUBLIC_URL is local ({@link isLocalUrl}).
 */
export function productionFaults(variables: NodeJS.ProcessEnv): string[] {
  const values: Values = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  if (isLocalUrl(values['PUBLIC_URL'] ?? '')) return [];
  return productionRules.flatMap(({ variable, fix, refuses }) => {
    const value = values[variable];
    return value !== undefined && refuses(value, values) ? [`${variable} ${fix}`] : [];
  });
}

function isKey(variable: string): boolean {
  return (keys as readonly string[]).includes(variable);
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

const DISTINCT_BYTES_MIN = 10;
const PERIOD_MAX = 16;

/**
 * Returns whether a key has a pattern that 32 random bytes have about once in 10^12 keys: few
 * values, a period, equal steps, or text.
 */
function isTrivial(key: Buffer): boolean {
  const bytes = [...key];
  const repeats = (period: number) => bytes.every((byte, at) => at < period || byte === bytes[at - period]);
  const step = ((bytes[1] ?? 0) - (bytes[0] ?? 0) + 256) % 256;
  return (
    new Set(bytes).size < DISTINCT_BYTES_MIN ||
    Array.from({ length: PERIOD_MAX }, (_, index) => index + 1).some(repeats) ||
    bytes.every((byte, at) => at === 0 || (byte - (bytes[at - 1] ?? 0) + 256) % 256 === step) ||
    bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  );
}

/** The sandbox is the host `sandbox` of Compose, and `sandbox.localhost`. */
function isSandboxOrLoopback(value: string): boolean {
  const host = parsedUrl(value)?.hostname.toLowerCase() ?? '';
  return host === 'sandbox' || host === '0.0.0.0' || isLocalUrl(value);
}

/** Returns whether a URL leads to this machine: localhost, *.localhost, 127.0.0.0/8 or ::1. */
function isLocalUrl(value: string): boolean {
  const host = (parsedUrl(value)?.hostname ?? '').replace(/^\[|\]$/g, '');
  return isLoopbackName(host) || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
