import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Secret, TOTP } from 'otpauth';
import { AccountErasure } from '../accounts/account-erasure.js';
import { Encryption } from '../platform/crypto/encryption.js';
import { publicTotpId } from '../rules/ids.js';
import { statementScene } from '../testing/core-scene.js';
import { createTestCore } from '../testing/test-core.js';
import type { TestAccount } from '../testing/test-accounts.js';
import { testVariables } from '../testing/test-config.js';
import { ReencryptTotps } from './reencrypt-totps.js';
import { Totps } from './totps.js';
import { countOneMore, lockToReencrypt, readTime, type StoredSecret } from './totps.repository.js';
import { VerifyTotp } from './verify-totp.js';

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const names = { label: 'alice@example.com', issuer: 'Acme' };

const storedSecret: z.ZodType<StoredSecret> = z.strictObject({
  accountId: z.uuid(),
  id: z.uuid(),
  ciphertext: z.instanceof(Buffer),
  keyId: z.string(),
});

describe('authenticators', () => {
  const scene = statementScene();
  let account: TestAccount;

  beforeEach(async () => {
    account = await scene.createAccount();
  });

  const create = () => scene.get(Totps).create(account.id, names);
  const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

  it('have statements that return the rows of their types', async () => {
    await create();
    await scene.expectRows(z.strictObject({ totps: z.literal(2) }), countOneMore.text, [account.id]);
    await scene.expectRows(z.strictObject({ now: z.date() }), readTime.text);
    await scene.expectRows(storedSecret, lockToReencrypt.text, ['none', LOWEST_ID, LOWEST_ID, 10]);
  });

  it('are counted as they are created and deleted', async () => {
    const [first] = await Promise.all([create(), create(), create()]);
    await scene.get(Totps).delete(account.id, publicTotpId(first.id));
    const counts = await scene.sql(
      `SELECT c.totps, (SELECT count(*)::int FROM totps t WHERE t.account_id = c.account_id) AS rows
       FROM totp_counts c WHERE account_id = $1`,
      [account.id],
    );
    expect(counts).toEqual([{ totps: 2, rows: 2 }]);
  });

  it('go with an erased account', async () => {
    const { id } = await create();
    await scene.get(Totps).replaceRecoveryCodes(account.id, publicTotpId(id));
    await scene.get(AccountErasure).erase(account.email, 'at the request of the owner');
    for (const table of ['totps', 'totp_counts'])
      expect(await scene.sql(`SELECT 1 FROM ${table} WHERE account_id = $1`, [account.id])).toEqual([]);
  });

  it('work with an older encryption key, and without it once they are encrypted again', async () => {
    const { id, secret } = await create();
    const [current, next] = [testVariables['API_KEY_ENCRYPTION_KEY'] ?? '', randomBytes(32).toString('base64')];
    const verify = (core: typeof scene.core, code: string) =>
      core.get(VerifyTotp).verify(account.id, publicTotpId(id), code);
    const both = { API_KEY_ENCRYPTION_KEY: next, API_KEY_ENCRYPTION_KEYS_OLD: current };
    const rotated = await createTestCore(scene.bed.config(both));
    const alone = await createTestCore(scene.bed.config({ API_KEY_ENCRYPTION_KEY: next }));
    try {
      await expect(verify(alone, '123456')).rejects.toThrow('API_KEY_ENCRYPTION_KEY');
      expect(await verify(rotated, codeOf(secret))).toMatchObject({ status: 'verified' });
      // Other tests have left authenticators of their accounts, more than a batch of them.
      const others = await scene.createAccount();
      await scene.sql(
        `INSERT INTO totps (account_id, id, label, secret, encryption_key_id)
         SELECT $1, ids.id, 'user', secret, encryption_key_id
         FROM totps t, unnest($3::uuid[]) AS ids (id) WHERE t.id = $2`,
        [others.id, id, Array.from({ length: 150 }, () => randomUUID())],
      );
      const broken = 'UPDATE totps SET secret = $2 WHERE id = (SELECT id FROM totps WHERE account_id = $1 LIMIT 1)';
      await scene.sql(broken, [others.id, Buffer.alloc(60)]);
      const { reencrypted, unreadable } = await rotated.get(ReencryptTotps).reencrypt();
      expect([reencrypted >= 150, unreadable]).toEqual([true, 1]);
      expect(await rotated.get(ReencryptTotps).reencrypt()).toEqual({ reencrypted: 0, unreadable: 1 });
      expect(await verify(alone, codeOf(secret))).toMatchObject({ status: 'used' });
      const [{ key } = { key: '' }] = await scene.sql<{ key: string }>(
        'SELECT encryption_key_id AS key FROM totps WHERE id = $1',
        [id],
      );
      expect(key).toBe(alone.get(Encryption).keyId);
    } finally {
      await Promise.all([rotated.close(), alone.close()]);
    }
  });
});
