import { z } from 'zod';

/** Every failure of the public API: the catalogue's text, a stable code, and a sentence for people. */
export const failureAnswer = z.object({
  success: z.literal('false'),
  error: z.string(),
  code: z.string(),
  detail: z.string(),
});
export type FailureAnswer = z.infer<typeof failureAnswer>;
