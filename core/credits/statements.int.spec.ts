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
  takenBackStatement,
  usedBeforeStatement,
} from './credits.sql.js';
import { ledgersStatement, sealsStatement, type StoredSeal } from './ledger-export.js';
import { currentKeyStatement, publicKeysStatement, storedKeysStatement } from './ledger-keys.js';
import { behindStatement, LedgerSeals, nextEntriesStatement, type StoredEntry } from './ledger-seals.js';
import {
  entriesOfSourceStatement,
  recordedEntriesStatement,
  type LedgerEntry,
  type RecordedEntry,
} from './ledger-history.js';
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
const storedEntry: z.ZodType<StoredEntry> = z.strictObject({
  accountId: z.uuid(),
  number: z.int(),
  createdAt: z.date(),
  kind: z.enum(ledgerKinds),
  amount: z.int(),
  balanceAfter: z.int(),
  sourceId: z.string(),
  note: z.string().nullable(),
});
const storedSeal: z.ZodType<StoredSeal> = z.strictObject({
  number: z.int(),
  first: z.int(),
  last: z.int(),
  entries: z.string(),
  fingerprints: z.string(),
  previous: z.string(),
  sealedAt: z.date(),
  key: z.string(),
  signature: z.instanceof(Buffer),
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

const recordedEntry: z.ZodType<RecordedEntry> = z.strictObject({
  number: z.int(),
  createdAt: z.date(),
  kind: z.enum(ledgerKinds),
  amount: z.int(),
  balanceAfter: z.int(),
  note: z.string().nullable(),
  seal: z.int(),
  first: z.int(),
  last: z.int(),
  sealedAt: z.date(),
  key: z.string(),
  hash: z.string().length(64),
});

describe('statements on balances and ledger return the rows that their types declare', () => {
  const { createAccount, expectRows, get, sql } = statementScene();

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
    await expectRows(z.strictObject({ taken: z.int() }), takenBackStatement.text, [id, 'source']);
    await expectRows(entry, entriesOfSourceStatement.text, [id, ['adjustment'], 'source']);
  });

  it('of the seals and their keys', async () => {
    const { id } = await createAccount();
    while (await get(LedgerSeals).run());
    const stored = z.strictObject({ id: z.string(), privateKey: z.instanceof(Buffer), encryptionKeyId: z.string() });
    await expectRows(stored, currentKeyStatement.text);
    await expectRows(stored, storedKeysStatement.text);
    const published = { id: z.string(), x: z.string(), createdAt: z.date(), retiredAt: z.date().nullable() };
    await expectRows(z.strictObject(published), publicKeysStatement.text);
    await expectRows(storedEntry, nextEntriesStatement.text, [[id], [0], 10]);
    await expectRows(storedSeal, sealsStatement.text, [id, 0]);
    await expectRows(recordedEntry, recordedEntriesStatement.text, [id, ledgerKinds, id]);
    await expectRows(z.strictObject({ accountId: z.uuid(), entries: z.int() }), ledgersStatement.text, [
      '00000000-0000-0000-0000-000000000000',
      id,
    ]);
    await createAccount();
    const behind = { accountId: z.uuid(), number: z.int(), last: z.int(), hash: z.string().length(64) };
    await expectRows(z.strictObject(behind), behindStatement.text, [new Date(0)]);
  });

  it('of the checks', async () => {
    const { id } = await createAccount();
    await expectRows(check, checkStatement.text);
    await expectRows(z.strictObject({ now: z.date() }), clockStatement.text);
    await sql('UPDATE credit_accounts SET ledger_count = ledger_count + 1 WHERE account_id = $1', [id]);
    await expectRows(accountOnly, faultsStatement.text, [new Date(0), []]);
  });
});
