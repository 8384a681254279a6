import { z } from 'zod';

const DELAY_MS_MAX = 60_000;
const LOCATION_CHARACTERS_MAX = 2_000;

/** What a hook is called in its URL. */
export const hookName = z.string().regex(/^[\w-]{1,64}$/, 'must have up to 64 letters, digits, - and _');

/** How a hook answers: a status after a while, a redirect, or nothing at all. `count`: for how many requests; null, until it is changed. */
export const hookAnswer = z
  .strictObject({
    status: z
      .int()
      .min(200, 'must be a status from 200 to 599')
      .max(599, 'must be a status from 200 to 599')
      .optional(),
    delayMs: z.int().min(0).max(DELAY_MS_MAX, `must be up to ${DELAY_MS_MAX} milliseconds`).default(0),
    hang: z.boolean().default(false),
    redirectTo: z.string().min(1).max(LOCATION_CHARACTERS_MAX).nullable().default(null),
    count: z.int().min(1).max(1_000_000).nullable().default(null),
  })
  .transform(({ status, ...answer }) => ({ ...answer, status: status ?? (answer.redirectTo === null ? 200 : 307) }))
  .refine(({ status, redirectTo }) => redirectTo === null || (status >= 300 && status < 400), {
    path: ['status'],
    message: 'must be from 300 to 399 for a redirect',
  });
export type HookAnswer = z.output<typeof hookAnswer>;

/** What a hook answers as long as nobody has said otherwise. */
export const PLAIN_ANSWER: HookAnswer = { status: 200, delayMs: 0, hang: false, redirectTo: null, count: null };
