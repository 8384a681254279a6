import { OperatorCredits } from '../billing/operator-credits/operator-credits.js';
import type { TestCore } from './test-core.js';

export const testOperator = 'ada';

/** Adds credits as an operator does, or removes them when `credits` is negative. */
export async function adjustCredits(
  parts: Pick<TestCore, 'get'>,
  email: string,
  credits: number,
  why = 'test',
): Promise<void> {
  await parts.get(OperatorCredits).adjust(testOperator, email, credits, why);
}

/** Creates a redeem code as an operator does, for one account unless `uses` is given. */
export async function createRedeemCode(
  parts: Pick<TestCore, 'get'>,
  { credits, uses = 1, expiresAt = null }: { credits: number; uses?: number; expiresAt?: Date | null },
): Promise<string> {
  const terms = { credits, uses, expiresAt, why: null };
  const outcome = await parts.get(OperatorCredits).createCode(testOperator, terms);
  if (outcome.kind === 'applied' && outcome.code !== null) return outcome.code;
  throw new Error('The code waits for a second operator');
}
