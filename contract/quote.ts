import { z } from 'zod';
import { limits } from './limits.js';

/** POST /api/dashboard/quote: a message as far as it has been typed. */
export const quoteBody = z.object({ to: z.string(), message: z.string() });
export type QuoteBody = z.infer<typeof quoteBody>;

/** What a "no" is about. `credits` is the balance or the day's limit, and concerns live messages alone: a test key uses up neither. */
export const quoteFields = ['to', 'message', 'credits'] as const;

/**
 * What the message would be and cost. `iso2` and `country` are those of the number, or of its beginning while it is not whole yet;
 * `country` and `creditsPerSms` are null outside the table of regions. `credits` and `balanceAfter` are null while the price is
 * not known, `balanceAfter` also when the balance does not cover it. `charactersLeft` fit into the last segment;
 * `unicodeCharacters` are the first ones that made the text UCS-2. `faults` are why it would be refused, codes as the API has them.
 */
export const quoteAnswer = z.object({
  country: z.string().nullable(),
  iso2: z.string().length(2).nullable(),
  active: z.boolean(),
  encoding: z.enum(['GSM-7', 'UCS-2']),
  segments: z.int().positive(),
  charactersLeft: z.int().nonnegative(),
  unicodeCharacters: z.array(z.string()).max(limits.quoteUnicodeCharactersMax),
  creditsPerSms: z.int().positive().nullable(),
  credits: z.int().positive().nullable(),
  balance: z.int().nonnegative(),
  balanceAfter: z.int().nonnegative().nullable(),
  faults: z.array(z.object({ field: z.enum(quoteFields), code: z.string(), detail: z.string() })),
});
export type QuoteAnswer = z.infer<typeof quoteAnswer>;
