import { Payments } from '#core/billing/payments.js';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { Messages } from '#core/messages/history/messages.js';
import { NumberMoney } from '#core/numbers/number-money.js';
import type { Get } from './command-line.js';

type LedgerCheck = Awaited<ReturnType<Messages['checkCharges']>>;

/** Compares balances with the ledger, and messages, replies, payments and numbers with their entries. */
export async function checkLedger(get: Get): Promise<LedgerCheck> {
  const check = await get(Messages).checkCharges();
  check.mismatches += await get(ReceivedHistory).countMismatches();
  check.mismatches += await get(Payments).countMismatches();
  check.mismatches += await get(NumberMoney).countMismatches();
  return check;
}
