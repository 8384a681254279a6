import { z } from 'zod';
import { limits } from './limits.js';

const text = z.string().nullish();

/**
 * Body of POST /api/sendsms, JSON or form-encoded. Only types are checked here: whether a field is missing is the next
 * case of the error table and has a text of its own. Unknown fields are ignored.
 */
export const sendSmsBody = z.object({
  to: text,
  message: text,
  apikey: text,
  reference: z.string().max(limits.referenceCharactersMax).nullish(),
});
export type SendSmsBody = z.infer<typeof sendSmsBody>;

/** Answer 200 of POST /api/sendsms. `credits` is the price of the message; a test key is not charged (`test: true`). */
export const sendSmsAnswer = z.object({
  success: z.literal('true'),
  message_id: z.string().length(34),
  segments: z.int().positive(),
  credits: z.int().positive(),
  reference: z.string().optional(),
  test: z.literal(true).optional(),
});
export type SendSmsAnswer = z.infer<typeof sendSmsAnswer>;
