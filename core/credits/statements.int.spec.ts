import { z } from 'zod';
import { ledgerKinds } from '#contract/histories.js';
import { statementScene } from '../testing/core-scene.js';
import {
  balancesStatement,
  checkStatement,
  lockBalancesStatement,
  numberReceivedStatement,
  openStatement,
  postStatement,
  usedBeforeStatement,
} from './credits.sql.js';
import { entriesOfSourceStatement, type LedgerEntry } from './ledger-history.js';
import type { BalanceRow, LedgerCheck, ReceivedNumbers } from './ledger.repository.js';
import { clockStatement, faultsStatement } from './watch-ledger.js';

const accountOnly = z.strictObject({ accountId: z.uuid() });
const balanceRow: z.ZodType<BalanceRow> = z.strictObject({
  accountId: z.uuid(),
  balance: z.int(),
  purchased: z.int(),
  used: z.int(),
  frozen: z.int(),
  updatedAt: z.date(),
});
const check: z.ZodType<LedgerCheck> = z.strictObject({ accounts: z.int(), entries: z.int(), mismatches: z.int() });
const received: z.ZodType<ReceivedNumbers> = z.strictObject({ accountId: z.uuid(), first: z.int(), at: z.date() });
const entry: z.ZodType<LedgerEntry> = z.strictObject({
  number: z.int(),
  createdAt: z.date(),
  kind: z.enum(ledgerKinds),
  amount: z.int(),
  balanceAfter: z.int(),
  sourceId: z.string(),
  note: z.string().nullable(),
});

describe('statements on balances and ledger return the rows that their types declare', () => {
  const { createAccount, expectRows, sql } = statementScene();

  it('of balances and entries', async () => {
    const { id } = await createAccount();
    const available = z.strictObject({ accountId: z.uuid(), available: z.int() });
    const { id: creditless } = await createAccount({ credits: 0 });
    await sql('DELETE FROM credit_accounts WHERE account_id = $1', [creditless]);
    await expectRows(accountOnly, openStatement.text, [creditless]);
    await expectRows(accountOnly, postStatement.text, [[id], [5], ['adjustment'], ['source'], ['note']]);
    await expectRows(available, lockBalancesStatement.text, [[id]]);
    await expectRows(received, numberReceivedStatement.text, [[id], [2]]);
    await expectRows(balanceRow, balancesStatement.text, [[id]]);
    await expectRows(z.strictObject({ usedBefore: z.int() }), usedBeforeStatement.text, [id, new Date()]);
    await expectRows(entry, entriesOfSourceStatement.text, [id, ['adjustment'], 'source']);
  });

  it('of the checks', async () => {
    const { id } = await createAccount();
    await expectRows(check, checkStatement.text);
    await expectRows(z.strictObject({ now: z.date() }), clockStatement.text);
    await sql('UPDATE credit_accounts SET ledger_count = ledger_count + 1 WHERE account_id = $1', [id]);
    await expectRows(accountOnly, faultsStatement.text, [new Date(0), []]);
  });
});
