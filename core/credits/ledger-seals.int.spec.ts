import { createHash, createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { ledgerKey, ledgerLine, type LedgerLine } from '#contract/ledger-proof.js';
import { Encryption } from '../platform/crypto/encryption.js';
import { Postgres } from '../platform/database/postgres.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import { Credits } from './credits.js';
import { LedgerExport } from './ledger-export.js';
import { LedgerKeys } from './ledger-keys.js';
import { LedgerSeals } from './ledger-seals.js';

const OTHER_KEY = Buffer.alloc(32, 9).toString('base64');

describe('The sealed ledger', () => {
  let bed: TestBed;
  let core: TestCore;
  let accountId: string;
  let source = 0;

  beforeEach(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
    accountId = (await createTestAccount(core, { credits: 100 })).id;
  });

  afterEach(async () => {
    await core?.close();
    await bed?.remove();
  });

  const post = async (entries: number, account = accountId, note?: string) => {
    const postings = Array.from({ length: entries }, () => {
      source += 1;
      return {
        accountId: account,
        amount: 1,
        kind: 'purchase' as const,
        sourceId: `source ${source}`,
        ...(note && { note }),
      };
    });
    await core.get(Postgres).transaction((tx) => core.get(Credits).post(tx, postings));
  };
  const seal = async () => {
    while (await core.get(LedgerSeals).run());
  };
  const sql = (text: string) => bed.database.sql(text, [accountId]);
  /** Changes seals, which the database refuses. */
  const forge = async (text: string) => {
    await bed.database.sql('ALTER TABLE ledger_seals DISABLE TRIGGER ledger_seals_append_only');
    await sql(text);
  };
  const verification = () => core.get(LedgerExport).verify();
  const lines = async (account = accountId): Promise<LedgerLine[]> => {
    let text = '';
    for await (const part of core.get(LedgerExport).file(account)) text += part;
    return text
      .trimEnd()
      .split('\n')
      .map((line) => ledgerLine.parse(JSON.parse(line)));
  };
  const sealsOf = async () => (await lines()).flatMap((line) => ('seal' in line ? [line.seal] : []));

  it('covers each entry once, in order, and goes on where it ended', async () => {
    await post(3);
    await seal();
    await seal();
    await post(2);
    expect(await verification()).toEqual({ accounts: 1, entries: 6, seals: 1, unsealed: 2, faults: [] });
    await seal();
    expect(await verification()).toEqual({ accounts: 1, entries: 6, seals: 2, unsealed: 0, faults: [] });
    expect(await sealsOf()).toMatchObject([
      { number: 1, first: 1, last: 4, previous: '0'.repeat(64) },
      { number: 2, first: 5, last: 6 },
    ]);
  });

  it('seals long ledgers in parts, and those of many accounts', async () => {
    await post(2_100);
    const others = [];
    for (let n = 0; n < 25; n += 1) others.push((await createTestAccount(core, { credits: 1 })).id);
    await seal();
    expect((await sealsOf()).map(({ first, last }) => [first, last])).toEqual([
      [1, 1_000],
      [1_001, 2_000],
      [2_001, 2_101],
    ]);
    expect(await verification()).toEqual({ accounts: 26, entries: 2_126, seals: 28, unsealed: 0, faults: [] });
  });

  it('has one seal per entry when several workers seal at once', async () => {
    const other = await createTestCore(bed.config());
    try {
      for (let round = 0; round < 5; round += 1) {
        await post(2);
        await Promise.all([core, other, core, other].map((one) => one.get(LedgerSeals).run()));
      }
      await seal();
    } finally {
      await other.close();
    }
    expect(await verification()).toMatchObject({ entries: 11, unsealed: 0, faults: [] });
  });

  it('exports lines that anybody can check with the published key', async () => {
    await post(1, accountId, 'Grüße, "quoted"\n\u2028 ✓');
    await seal();
    const [head, first, second, sealed, end] = await lines();
    if (!head || !('ledger' in head) || !first || !('entry' in first) || !second || !('entry' in second))
      throw new Error('The file begins with its head and two entries');
    if (!sealed || !('seal' in sealed)) throw new Error('A seal follows');
    expect(end).toEqual({ end: { entries: 2, seals: 1 } });
    expect(second.entry).toMatchObject({ number: 2, kind: 'purchase', amount: 1, balance_after: 101 });
    const [key] = await core.get(LedgerKeys).published();
    expect(head.ledger.keys).toEqual([key]);
    // Verifies as docs/ledger.md describes, without the product's code.
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const hashes = [first.entry, second.entry].map((entry) =>
      sha256(
        JSON.stringify([
          entry.number,
          entry.at,
          entry.kind,
          entry.amount,
          entry.balance_after,
          entry.source,
          entry.note,
        ]),
      ),
    );
    const { number, first: from, last, entries, previous, sealed_at, key: kid, signature, fingerprints } = sealed.seal;
    expect(entries).toBe(sha256(hashes.join('')));
    expect(fingerprints).toBe(hashes.map((hash) => hash.slice(0, 8)).join(''));
    const text = JSON.stringify([
      'pennytext-ledger-1',
      accountId,
      number,
      from,
      last,
      entries,
      previous,
      sealed_at,
      kid,
    ]);
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key?.x ?? '' }, format: 'jwk' });
    expect(verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it.each([
    ['a changed amount', 'UPDATE ledger_entries SET amount = 2 WHERE account_id = $1 AND number = 3', 3],
    [
      'a changed time',
      `UPDATE ledger_entries SET created_at = created_at + interval '1 s' WHERE account_id = $1 AND number = 2`,
      2,
    ],
    ['a changed note', `UPDATE ledger_entries SET note = 'x' WHERE account_id = $1 AND number = 5`, 5],
    [
      'an amount and all balances after it',
      `UPDATE ledger_entries SET amount = amount + CASE number WHEN 3 THEN 1
        ELSE 0 END, balance_after = balance_after + 1
       WHERE account_id = $1 AND number >= 3`,
      3,
    ],
    ['a deleted entry', 'DELETE FROM ledger_entries WHERE account_id = $1 AND number = 4', 4],
    ['the newest entry deleted', 'DELETE FROM ledger_entries WHERE account_id = $1 AND number = 6', 6],
    [
      'two entries that changed places',
      `UPDATE ledger_entries a SET source_id = 'swapped ' || b.source_id FROM ledger_entries b
       WHERE a.account_id = $1 AND b.account_id = $1 AND a.number IN (4, 5) AND b.number = 9 - a.number`,
      4,
    ],
    [
      'an entry that no balance counts',
      `INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
       VALUES ($1, 7, 5, 200, 'purchase', 'inserted')`,
      7,
    ],
  ])('names the entry of %s', async (_title, tamper, entry) => {
    await post(5);
    await seal();
    await sql(tamper);
    expect((await verification()).faults).toMatchObject([{ accountId, entry }]);
  });

  it('names the number of an entry that was deleted, which the next ones took', async () => {
    await post(5);
    await seal();
    await sql('DELETE FROM ledger_entries WHERE account_id = $1 AND number = 2');
    await sql('UPDATE ledger_entries SET number = number + 1000 WHERE account_id = $1 AND number > 2');
    await sql('UPDATE ledger_entries SET number = number - 1001 WHERE account_id = $1 AND number > 1000');
    expect((await verification()).faults).toMatchObject([{ accountId, entry: 2 }]);
  });

  it('names the entry that was inserted between others, which moved up', async () => {
    await post(5);
    await seal();
    await sql('UPDATE ledger_entries SET number = number + 1000 WHERE account_id = $1 AND number >= 3');
    await sql('UPDATE ledger_entries SET number = number - 999 WHERE account_id = $1 AND number > 1000');
    await sql(`INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
      VALUES ($1, 3, 1, 102, 'purchase', 'inserted')`);
    expect((await verification()).faults).toMatchObject([{ accountId, entry: 3 }]);
  });

  it.each([
    ['a deleted seal', 'DELETE FROM ledger_seals WHERE account_id = $1 AND number = 1', 1],
    [
      'a seal over fewer entries',
      `UPDATE ledger_seals SET last = 3, fingerprints = substr(fingerprints, 1, 12)
        WHERE account_id = $1 AND number = 1`,
      1,
    ],
    [
      'a seal of another time',
      `UPDATE ledger_seals SET sealed_at = sealed_at + interval '1 s' WHERE account_id = $1 AND number = 2`,
      5,
    ],
    [
      'another signature',
      `UPDATE ledger_seals SET signature = set_byte(signature, 3, 255 - get_byte(signature, 3))
        WHERE account_id = $1 AND number = 2`,
      5,
    ],
  ])('notices %s', async (_title, tamper, entry) => {
    await post(3);
    await seal();
    await post(2);
    await seal();
    await forge(tamper);
    expect((await verification()).faults).toMatchObject([{ accountId, entry }]);
  });

  it('refuses to change or delete seals', async () => {
    await seal();
    await expect(sql('UPDATE ledger_seals SET last = 2 WHERE account_id = $1')).rejects.toThrow(
      'ledger_seals is append-only',
    );
    await expect(sql('DELETE FROM ledger_seals WHERE account_id = $1')).rejects.toThrow('ledger_seals is append-only');
  });

  it('is not sealed over a gap', async () => {
    await post(4);
    await sql('DELETE FROM ledger_entries WHERE account_id = $1 AND number = 3');
    await core.get(LedgerSeals).run();
    expect((await sealsOf()).map(({ first, last }) => [first, last])).toEqual([[1, 2]]);
    expect((await verification()).faults).toMatchObject([{ accountId, entry: 3, problem: 'entry 3: it is missing' }]);
  });

  it('is signed with a new key after a rotation, and stays verifiable', async () => {
    await seal();
    const { key, retired } = await core.get(LedgerKeys).rotate();
    await post(1);
    await seal();
    const keys = z.array(ledgerKey).parse(await core.get(LedgerKeys).published());
    expect(keys.map(({ kid, valid_until }) => [kid, valid_until === null])).toEqual([
      [retired, false],
      [key, true],
    ]);
    expect((await sealsOf()).map((one) => one.key)).toEqual([retired, key]);
    expect(await verification()).toMatchObject({ seals: 2, faults: [] });
  });

  it('keeps its private keys encrypted, and encrypts them with a new encryption key', async () => {
    await seal();
    const after = await createTestCore(
      bed.config({
        API_KEY_ENCRYPTION_KEY: OTHER_KEY,
        API_KEY_ENCRYPTION_KEYS_OLD: bed.config().keys.encryptionKey.toString('base64'),
      }),
    );
    try {
      expect(await after.get(LedgerKeys).reencrypt()).toEqual({ reencrypted: 1, unreadable: 0 });
      expect(await after.get(LedgerKeys).reencrypt()).toEqual({ reencrypted: 0, unreadable: 0 });
      await post(1);
      await after.get(LedgerSeals).run();
      const rows = await bed.database.sql<{ id: string }>('SELECT encryption_key_id AS id FROM ledger_keys');
      expect(rows).toEqual([{ id: after.get(Encryption).keyId }]);
    } finally {
      await after.close();
    }
    expect(await verification()).toMatchObject({ entries: 2, unsealed: 0, faults: [] });
  });
});
