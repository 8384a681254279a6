import { z } from 'zod';

/** Answer of GET /api/balance, in credits: balance = purchased - used, always. */
export const balanceAnswer = z.object({
  success: z.literal('true'),
  balance: z.int().nonnegative(),
  purchased: z.int().nonnegative(),
  used: z.int().nonnegative(),
});
export type BalanceAnswer = z.infer<typeof balanceAnswer>;

/** Query of GET /api/balance; `apikey` stands in for `Authorization: Bearer`. */
export const balanceQuery = z.object({ apikey: z.string().optional() });
export type BalanceQuery = z.infer<typeof balanceQuery>;
