import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { otpChannels } from '#contract/otp-channels.js';
import { messageStatuses } from '#contract/messages.js';
import { newMessageId } from '../rules/ids.js';
import type { LiveCodes } from '../rules/otp.js';
import { statementScene } from '../testing/core-scene.js';
import { addCodesStatement, countCodesStatement, nextHourStatement, weekOfCodesStatement } from './entered-codes.js';
import type { GuardReading, GuardRule, SubjectKey } from './guard/guard-rules.js';
import {
  findReset,
  GuardRepository,
  guardReadings,
  listRules,
  recentBlocks,
  subjectsOf,
  type BlockRow,
  type BreakerReset,
} from './guard/guard.repository.js';
import { otpCountsStatement, otpSumsStatement, type OtpCount } from './otp-conversion.js';
import { findSettings, OtpSettings } from './otp-settings.js';
import type { LoggedOtp } from './otp-state.js';
import { findOtpsStatement, showOtpsStatement, type FoundOtps } from './otps.js';
import {
  countLiveCodes,
  insertCodes,
  endExpired,
  endReplaced,
  findExpired,
  knownCodes,
  removeCodes,
  type ExpiredCode,
  type InsertedCode,
  type KnownCodeRow,
} from './otp-codes.repository.js';
import { lockGuardsStatement, type OtpGuard } from './guard/otp-guards.sql.js';
import {
  findMessages,
  findRecord,
  newestOfReference,
  OtpRecordsRepository,
  type OtpMessage,
  type OtpRecord,
} from './otp-records.repository.js';
import type { OtpPlan } from './steps/otp-plan.js';

const RECIPIENT = '+14155550188';

const guardRow: z.ZodType<OtpGuard> = z.strictObject({
  accountId: z.uuid(),
  wrongGuesses: z.int(),
  shortGuesses: z.int(),
  isRecipientRequired: z.boolean(),
  secondsLeft: z.int(),
});
const knownRow: z.ZodType<KnownCodeRow> = z.strictObject({
  n: z.int(),
  isHit: z.boolean(),
  accountId: z.uuid(),
  shortUsed: z.int().nullable(),
  shortLive: z.int().nullable(),
  shortSecondsLeft: z.int().nullable(),
  id: z.uuid(),
  step: z.int().nullable(),
  recipient: z.string(),
  reference: z.string().nullable(),
  endsAt: z.date(),
  state: z.enum(['live', 'used', 'over']),
  wrongTries: z.int(),
});
const subject = z.enum(['recipient', 'ip', 'device', 'block', 'call', 'caller']);
const rule: z.ZodType<GuardRule> = z.strictObject({
  rule: z.string(),
  subject,
  sendsMax: z.int(),
  windowSeconds: z.int(),
  verifiedPercentMin: z.int().nullable(),
});
const reading: z.ZodType<GuardReading & { n: number }> = z.strictObject({
  n: z.int(),
  key: z.uuid(),
  rule: z.string(),
  subject,
  sendsMax: z.int(),
  windowSeconds: z.int(),
  verifiedPercentMin: z.int().nullable(),
  ages: z.array(z.int()),
  verified: z.int(),
});
const subjectKey: z.ZodType<SubjectKey> = z.strictObject({ subject, key: z.uuid() });
const blockRow: z.ZodType<BlockRow> = z.strictObject({
  id: z.uuid(),
  rule: z.string(),
  key: z.uuid(),
  recipient: z.string(),
  country: z.string(),
  reference: z.string().nullable(),
  sent: z.int(),
  verified: z.int().nullable(),
  refused: z.int(),
  createdAt: z.date(),
  lastAt: z.date(),
});
const reset: z.ZodType<BreakerReset> = z.strictObject({ resetAt: z.date().nullable(), now: z.date() });
const insertedRow: z.ZodType<InsertedCode> = z.strictObject({ id: z.uuid(), sentAt: z.date(), expiresAt: z.date() });
const expiredRow: z.ZodType<ExpiredCode> = z.strictObject({
  id: z.uuid(),
  accountId: z.uuid(),
  recipient: z.string(),
  reference: z.string().nullable(),
  endsAt: z.date(),
});
const plan: z.ZodType<OtpPlan> = z.strictObject({
  plan: z.array(z.strictObject({ channel: z.enum(otpChannels), to: z.string(), waitSeconds: z.int() })),
  creditsMax: z.int(),
  key: z.string(),
  named: z.boolean(),
  address: z.string(),
});
const record: z.ZodType<OtpRecord> = z.strictObject({
  id: z.uuid(),
  recipient: z.string(),
  digits: z.int(),
  reference: z.string().nullable(),
  state: z.enum(['live', 'used', 'over', 'unmanaged']),
  wrongTries: z.int(),
  createdAt: z.date(),
  expiresAt: z.date(),
  endedAt: z.date().nullable(),
  wording: z.instanceof(Buffer).nullable(),
  encryptionKeyId: z.string().nullable(),
  messageId: z.uuid(),
  resends: z.int(),
  sentAt: z.date(),
  accountId: z.uuid(),
  plan: plan.nullable(),
  step: z.int().nullable(),
  now: z.date(),
});
const otpMessage: z.ZodType<OtpMessage> = z.strictObject({
  messageId: z.uuid(),
  otpId: z.uuid(),
  recipient: z.string(),
  reference: z.string().nullable(),
  resends: z.int(),
  attemptsLeft: z.int().nullable(),
  sentAt: z.date(),
  expiresAt: z.date(),
  isManaged: z.boolean(),
  plan: plan.nullable(),
  step: z.int().nullable(),
  stepAt: z.date().nullable(),
});
const liveRow: z.ZodType<LiveCodes & { accountId: string }> = z.strictObject({
  accountId: z.uuid(),
  digits: z.int(),
  count: z.int(),
});

const instant = z.iso.datetime({ offset: true });
const loggedMessage = z.strictObject({
  id: z.uuid(),
  step: z.int().nullable(),
  createdAt: instant,
  status: z.enum(messageStatuses).nullable(),
  errorCode: z.string().nullable(),
  carrierError: z.int().nullable(),
  sentAt: instant.nullable(),
  finishedAt: instant.nullable(),
  credits: z.int().nullable(),
});
const logged: z.ZodType<LoggedOtp> = z.strictObject({
  id: z.uuid(),
  recipient: z.string(),
  country: z.string().nullable(),
  reference: z.string().nullable(),
  keyId: z.uuid().nullable(),
  state: z.enum(['live', 'used', 'over', 'blocked']),
  wrongTries: z.int(),
  lastAttemptAt: z.date().nullable(),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
  endedAt: z.date().nullable(),
  blockedBy: z.string().nullable(),
  plan: plan.nullable(),
  step: z.int().nullable(),
  stepAt: z.date().nullable(),
  enteredStep: z.int().nullable(),
  messages: z.array(loggedMessage),
});
const found: z.ZodType<FoundOtps> = z.strictObject({ ids: z.array(z.string()), scannedTo: z.string().nullable() });
const count: z.ZodType<OtpCount> = z.strictObject({
  day: z.iso.date().nullable(),
  country: z.string().nullable(),
  sent: z.int(),
  verified: z.int(),
});

const counted = z.strictObject({
  country: z.string(),
  carrier: z.literal(1),
  delivered: z.int(),
  entered: z.int(),
});

describe('OTP statements return the rows that their types declare', () => {
  const { createAccount, expectRows, get, sql, transaction } = statementScene();

  it('of codes and guards', async () => {
    const { id: accountId } = await createAccount();
    const hash = randomBytes(32);
    await expectRows(guardRow, lockGuardsStatement.text, [[accountId]]);
    const id = randomUUID();
    const code = [accountId, hash, id, RECIPIENT, 6, 10, 'reference', randomBytes(9), 'key'];
    await expectRows(insertedRow, insertCodes.text, [...code.map((value) => [value]), 24, ['US'], [randomUUID()]]);
    await expectRows(knownRow, knownCodes.text, [[accountId], [hash], [RECIPIENT], 60, [null]]);
    await expectRows(knownRow, knownCodes.text, [[accountId], [randomBytes(32)], [null], 60, [id]]);
    await sql('UPDATE otp_codes SET digits = 4, chances = 3, tried_at = now() WHERE id = $1', [id]);
    const [short] = await sql(knownCodes.text, [[accountId], [hash], [null], 60, [id]]);
    expect(knownRow.parse(short)).toMatchObject({ shortUsed: 3, shortLive: 1, shortSecondsLeft: 3_600 });
    await get(OtpSettings).change(accountId, { recipientRequired: true }, 'operator');
    const settings = z.strictObject({
      recipientRequired: z.literal(true),
      channelsAfterStop: z.literal(false),
      callLanguage: z.literal('en-US'),
    });
    await expectRows(settings, findSettings.text, [accountId]);
    await expectRows(liveRow, countLiveCodes.text, [[accountId], 4, 10, 100]);
  });

  it('of the fraud guard', async () => {
    const { id: accountId } = await createAccount();
    const [key, messageId, id] = [randomUUID(), randomUUID(), randomUUID()];
    const figures = { rule: 'conversion_hour', key, sent: 30, verified: 2 };
    const block = { id, accountId, recipient: RECIPIENT, reference: undefined, figures };
    const rows = await transaction(async (tx) => {
      await get(GuardRepository).insertSends(tx, [{ messageId, subjects: [{ subject: 'block', key }] }]);
      return [await get(GuardRepository).block(tx, 'US', block), await get(GuardRepository).block(tx, 'US', block)];
    });
    expect(z.array(z.strictObject({ id: z.uuid(), isNew: z.boolean() })).parse(rows)).toEqual([
      { id, isNew: true },
      { id, isNew: true },
    ]);
    await expectRows(reading, guardReadings.text, [[accountId], ['block'], [key]]);
    await expectRows(subjectKey, subjectsOf.text, [messageId]);
    await expectRows(rule, listRules.text, []);
    await expectRows(blockRow, recentBlocks.text, [accountId, 5]);
    await expectRows(reset, findReset.text, [accountId]);
  });

  it('of records, resends and expired codes', async () => {
    const { id: accountId } = await createAccount();
    const [first, second, message] = [randomUUID(), randomUUID(), randomUUID()];
    const codes = [[accountId, accountId], [1, 2].map(() => randomBytes(32)), [first, second], [RECIPIENT, RECIPIENT]];
    const rest = [[6, 6], [2, 2], ['a', null], [randomBytes(9), null], ['key', null], 24, ['US', 'CA'], [null, null]];
    await expectRows(insertedRow, insertCodes.text, [...codes, ...rest]);
    await transaction((tx) =>
      get(OtpRecordsRepository).insertResend(tx, { messageId: message, codeId: first, number: 1, attemptsLeft: 5 }),
    );
    await expectRows(record, findRecord.text, [accountId, first]);
    await expectRows(record, findRecord.text, [accountId, second]);
    await expectRows(z.strictObject({ id: z.uuid() }), newestOfReference.text, [accountId, 'a']);
    await expectRows(otpMessage, findMessages.text, [[first, message]]);
    await sql(
      `UPDATE otp_codes SET expires_at = now(), forget_at = now() + interval '24 hours' WHERE account_id = $1`,
      [accountId],
    );
    await expectRows(z.strictObject({ id: z.uuid(), accountId: z.uuid() }), findExpired.text, [100]);
    await expectRows(expiredRow, endReplaced.text, [codes[0], codes[1]]);
    await sql(`UPDATE otp_codes SET state = 'live', ended_at = NULL WHERE id = $1`, [second]);
    await expectRows(expiredRow, endExpired.text, [[second]]);
    await expectRows(z.strictObject({ removed: z.literal(1) }), removeCodes.text, [[second]]);
  });

  it('of the log and of the counts', async () => {
    const { id: accountId } = await createAccount();
    const [id, message, blockId] = [newMessageId(), newMessageId(), newMessageId()];
    const code = [accountId, randomBytes(32), id, RECIPIENT, 6, 10, 'a', randomBytes(9), 'key'];
    await expectRows(insertedRow, insertCodes.text, [...code.map((value) => [value]), 24, ['US'], [null]]);
    await transaction((tx) =>
      get(OtpRecordsRepository).insertResend(tx, { messageId: message, codeId: id, number: 1, attemptsLeft: 5 }),
    );
    const figures = { rule: 'conversion_hour', key: randomUUID(), sent: 30, verified: 2 };
    const block = { id: blockId, accountId, recipient: RECIPIENT, reference: 'a', figures };
    await transaction((tx) => get(GuardRepository).block(tx, 'US', block));
    await expectRows(logged, showOtpsStatement.text, [accountId, [id, blockId]]);
    const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    const unfiltered = [accountId, last, ...Array.from({ length: 8 }, () => null), 51, null, 'sms'];
    for (const by of ['id', 'recipient', 'reference', 'exhausted', 'blocked', 'account'] as const)
      await expectRows(found, findOtpsStatement(by).text, unfiltered);
    const days = [accountId, '2026-01-01', '2999-12-31'];
    await expectRows(count, otpSumsStatement.text, days);
    await expectRows(count, otpCountsStatement.text, days);
  });

  it('of the codes that are entered, by route', async () => {
    const { id: accountId } = await createAccount();
    const id = `${newMessageId().slice(0, -2)}00`;
    const code = [accountId, randomBytes(32), id, RECIPIENT, 6, 10, 'a', randomBytes(9), 'key'];
    await expectRows(insertedRow, insertCodes.text, [...code.map((value) => [value]), 24, ['US'], [null]]);
    await sql(
      `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits, status)
       VALUES ($1, $2, 1, 'otp', $3, 'US', '+15005550006', '', 1, 1, 'delivered')`,
      [id, accountId, RECIPIENT],
    );
    await sql(`INSERT INTO routes (country, carrier, resting_weight, weight) VALUES ('US', 1, 1, 1)`);
    const span = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
    await expectRows(counted.extend({ day: z.iso.date() }), countCodesStatement.text, span);
    await sql(addCodesStatement.text, [['US'], [1], [new Date()], [1], [0]]);
    await expectRows(counted, weekOfCodesStatement.text);
    await expectRows(z.strictObject({ from: z.date().nullable() }), nextHourStatement.text);
  });
});
