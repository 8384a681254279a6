import type { Config } from '#core/platform/config/config.js';
import { testVariables } from '#core/testing/test-config.js';

/** What shows that something of the inside got out: stack traces, statements, files, settings. */
const signs: readonly RegExp[] = [
  /\n\s+at .+:\d+:\d+/,
  /node_modules|\.(ts|js):\d+/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.+\b(FROM|VALUES|SET|WHERE)\b/,
  /relation "|column "|syntax error at or near|violates|duplicate key|invalid input syntax|invalid byte sequence/,
  /postgres(ql)?:\/\/|redis:\/\//,
  /ECONN|ETIMEDOUT|FST_ERR|TypeError|ReferenceError|RangeError|Cannot read propert/,
  /root:.*:0:0:/,
];

const secrets = [
  'API_KEY_HASH_SECRET',
  'API_KEY_ENCRYPTION_KEY',
  'TWILIO_AUTH_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
];

/** What of the inside, or of somebody else, an answer gives away; `private` are texts that its caller may not see. */
export function leaksIn(answer: string, config: Config, hidden: readonly string[]): string[] {
  const names = secrets.filter((name) => answer.includes(testVariables[name] ?? name));
  const shown = [...hidden, config.otp.hashSecret, config.signIn.cookieSecret].filter((text) => answer.includes(text));
  return [...names, ...shown, ...signs.filter((sign) => sign.test(answer)).map(String)];
}
