import { z } from 'zod';

const POLICIES = ['4xx', '5xx', 'ct', 'rt'] as const;

/** What may keep a post from being taken: the answer's status, no connection (ct), or no answer in time (rt). */
export type Failure = (typeof POLICIES)[number];

const policyWords = 'must be all, or some of 4xx, 5xx, ct and rt';
const number = (name: string, min: number, max: number, fallback: number) => {
  const words = `${name} must be from ${min} to ${max}`;
  return z.coerce.number({ error: words }).int(words).min(min, words).max(max, words).default(fallback);
};

/**
 * What Twilio reads in the fragment of a webhook's URL, such as `rc=3&rp=5xx,ct` (its page on connection overrides): how often it
 * tries again, after which failures, and how long it waits for an answer. Without a word: once, if no connection could be made.
 */
export const connectionOverrides = z
  .string()
  .transform((text): { rc?: unknown; rt?: unknown; rp?: string | undefined } =>
    Object.fromEntries(new URLSearchParams(text)),
  )
  .pipe(
    z.strictObject({
      rc: number('rc', 0, 5, 1),
      rt: number('rt', 100, 15_000, 15_000),
      rp: z
        .string()
        .default('ct')
        .transform((text) => (text === 'all' ? [...POLICIES] : text.split(',')))
        .pipe(z.array(z.enum(POLICIES, `rp ${policyWords}`))),
    }),
  )
  .transform(({ rc, rt, rp }) => ({ retriesMax: rc, readTimeoutMs: rt, retryAfter: rp }));
export type ConnectionOverrides = z.output<typeof connectionOverrides>;
