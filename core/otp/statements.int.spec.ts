import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Postgres } from '../platform/database/postgres.js';
import type { LiveCodes } from '../rules/otp.js';
import { createTestBed, type TestBed } from '../testing/test-bed.js';
import { createTestAccount } from '../testing/test-accounts.js';
import { createTestCore, type TestCore } from '../testing/test-core.js';
import type { OtpGuard } from './judge-guess.js';
import {
  countLiveCodes,
  insertCodes,
  knownCodes,
  lockGuards,
  recentSends,
  type KnownCodeRow,
} from './otp-codes.repository.js';

const RECIPIENT = '+14155550188';

const guardRow: z.ZodType<OtpGuard> = z.strictObject({
  accountId: z.uuid(),
  wrongGuesses: z.int(),
  secondsLeft: z.int(),
});
const knownRow: z.ZodType<KnownCodeRow> = z.strictObject({
  n: z.int(),
  isHit: z.boolean(),
  id: z.uuid(),
  recipient: z.string(),
  reference: z.string().nullable(),
  endsAt: z.date(),
  state: z.enum(['live', 'used', 'over']),
  wrongTries: z.int(),
});
const liveRow: z.ZodType<LiveCodes & { accountId: string }> = z.strictObject({
  accountId: z.uuid(),
  digits: z.int(),
  count: z.int(),
});

describe('OTP statements return the rows that their types declare', () => {
  let bed: TestBed;
  let core: TestCore;

  beforeAll(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config());
  });

  afterAll(async () => {
    await core?.close();
    await bed?.remove();
  });

  const expectRows = async (schema: z.ZodType, text: string, values: unknown[]) => {
    const rows = await core.get(Postgres).query<object>({ text }, values);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) schema.parse(row);
  };

  it('of codes and guards', async () => {
    const { id: accountId } = await createTestAccount(core);
    const hash = randomBytes(32);
    await expectRows(guardRow, lockGuards, [[accountId]]);
    const code = [accountId, hash, randomUUID(), RECIPIENT, 6, 10, 'reference'];
    await expectRows(z.strictObject({ id: z.uuid() }), insertCodes, [...code.map((value) => [value]), 24]);
    await expectRows(z.strictObject({ ages: z.array(z.int()).min(1) }), recentSends, [
      [accountId],
      [RECIPIENT],
      600,
      5,
    ]);
    await expectRows(knownRow, knownCodes, [[accountId], [hash], [RECIPIENT], 60]);
    await expectRows(liveRow, countLiveCodes, [[accountId], 4, 10, 100]);
  });
});
