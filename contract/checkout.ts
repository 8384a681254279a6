import { z } from 'zod';
import { packIds } from './packs.js';

/** Body of POST /api/checkout: a pack by name, or by its Stripe price. `userId` and `credits` are checked, never used. */
export const checkoutBody = z
  .object({
    pack: z.enum(packIds).optional(),
    priceId: z.string().max(255).optional(),
    userId: z.string().optional(),
    credits: z.int().optional(),
  })
  .refine(({ pack, priceId }) => pack !== undefined || priceId !== undefined, 'Send "pack" or "priceId".');
export type CheckoutBody = z.infer<typeof checkoutBody>;

/** Answer of POST /api/checkout: the page goes to `url`, where the card is entered. */
export const checkoutAnswer = z.object({ sessionId: z.string(), url: z.url() });
export type CheckoutAnswer = z.infer<typeof checkoutAnswer>;

/** Answer of GET /api/checkout/{sessionId}. `paid`: the credits are on the account. `pending`: the bank has not decided yet. */
export const checkoutStatusAnswer = z.object({
  status: z.enum(['paid', 'pending', 'failed']),
  credits: z.int().positive(),
});
export type CheckoutStatusAnswer = z.infer<typeof checkoutStatusAnswer>;
