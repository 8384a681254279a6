import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { keyScopes } from '#contract/account.js';
import type { ApiRequestChoices, CutDay } from '#contract/dashboard.js';
import { statementScene } from '../testing/core-scene.js';
import { AccountsRepository, takeDeletions } from './accounts.repository.js';
import { findCallers, type CallerRow } from '../keys/api-keys.repository.js';
import { noticeRecipient } from '../mail/notices.js';
import {
  callChoicesStatement,
  cutDaysStatement,
  findCallsStatement,
  RequestLog,
  type RequestRow,
} from './request-log.js';
import {
  findSessions,
  listSessions,
  liveSessions,
  rememberDevice,
  SessionsRepository,
  type SessionAccount,
  type SessionView,
} from './sessions/sessions.repository.js';
import { findLink, recoverable, unverifiedAccount } from './sign-in/email-links.js';
import { takeDueStatement, WelcomeMails, type Person } from './sign-in/welcome-mails.js';

const callerRow: z.ZodType<CallerRow> = z.strictObject({
  isAddressBlocked: z.boolean(),
  accountId: z.uuid().nullable(),
  keyId: z.uuid().nullable(),
  isBlocked: z.boolean(),
  keyRefusal: z.enum(['key_expired', 'key_address', 'key_scope']).nullable(),
  scopes: z.array(z.enum(keyScopes)).nullable(),
  keyRatePerSecond: z.int().nullable(),
});
const sessionRow: z.ZodType<SessionAccount & { isStale: boolean; hash: string }> = z.strictObject({
  hash: z.hex().length(64),
  accountId: z.uuid(),
  email: z.string(),
  displayName: z.string(),
  sessionId: z.uuid(),
  isFresh: z.boolean(),
  isStale: z.boolean(),
});
const sessionView: z.ZodType<SessionView> = z.strictObject({
  id: z.uuid(),
  device: z.string(),
  address: z.string(),
  method: z.enum(['google', 'password']),
  startedAt: z.date(),
  lastSeenAt: z.date(),
});
const person: z.ZodType<Person> = z.strictObject({ id: z.uuid(), email: z.string(), displayName: z.string() });

const loggedCall: z.ZodType<RequestRow & { scannedTo: string | null }> = z.strictObject({
  id: z.uuid(),
  at: z.date(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  code: z.string().nullable(),
  requestId: z.string(),
  durationMs: z.int(),
  keyName: z.string().nullable(),
  keyEnding: z.string(),
  isTest: z.boolean(),
  subject: z.string().nullable(),
  fields: z.string(),
  times: z.int(),
  scannedTo: z.uuid().nullable(),
});

const cutDay: z.ZodType<CutDay> = z.strictObject({ day: z.iso.date(), calls: z.int(), listedMax: z.int() });
const choices: z.ZodType<ApiRequestChoices> = z.strictObject({
  codes: z.array(z.string()),
  keys: z.array(z.strictObject({ keyName: z.string().nullable(), keyEnding: z.string(), isTest: z.boolean() })),
});

describe('account statements return the rows that their types declare', () => {
  const { createAccount, expectRows, get, sql, transaction } = statementScene();

  it('of accounts', async () => {
    const { id, email } = await createAccount();
    await expectRows(z.strictObject({ email: z.literal(email) }), noticeRecipient, [id, 'new_device']);
    await transaction((tx) => get(WelcomeMails).expect(tx, id));
    await sql('UPDATE accounts SET welcome_mail_due_at = now(), delete_at = now() WHERE id = $1', [id]);
    await expectRows(person, takeDueStatement.text);
    await expectRows(z.strictObject({ id: z.literal(id) }), takeDeletions.text);
    await transaction(async (tx) => {
      const accounts = get(AccountsRepository);
      expect(await accounts.scheduleDeletion(tx, id, 7)).toBeInstanceOf(Date);
      await accounts.flag(tx, id, 'dispute: lost');
      expect(await accounts.clearFlag(tx, id, 'dispute')).toBe('dispute: lost');
    });
  });

  it('of callers', async () => {
    const { id } = await createAccount({ keyRatePerSecond: 5 });
    const [key] = await sql<{ hash: Buffer }>('SELECT hash FROM key_secrets WHERE account_id = $1', [id]);
    const hashes = [key?.hash, randomBytes(32)];
    await expectRows(callerRow, findCallers.text, [hashes, ['192.0.2.1', '192.0.2.1'], ['read', 'send']]);
  });

  it('of logged calls', async () => {
    const { id } = await createAccount();
    const [key] = await sql<{ hash: Buffer }>('SELECT hash FROM key_secrets WHERE account_id = $1', [id]);
    const call = {
      atMs: Date.now(),
      durationMs: 3,
      method: 'GET',
      path: '/api/balance',
      status: 401,
      code: 'key_scope',
    };
    const apiKey = { hash: key?.hash ?? Buffer.alloc(0), test: false, named: false };
    const log = get(RequestLog);
    log.note({ ...call, key: apiKey, keyTail: '0001', requestId: 'r', subject: null, fields: '{}' });
    await log.flush();
    const values = [id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 7, 0, 999, null];
    await expectRows(loggedCall, findCallsStatement('account').text, [
      ...values,
      null,
      null,
      10,
      null,
      null,
      null,
      null,
    ]);
    await expectRows(loggedCall, findCallsStatement('requestId').text, [
      ...values,
      'r',
      'balance',
      10,
      new Date(0),
      new Date('2999-01-01'),
      '0001',
      'r',
    ]);
    await expectRows(choices, callChoicesStatement.text, [id, 7, 10, 10]);
    await sql('UPDATE api_request_days SET calls = 200000 WHERE account_id = $1', [id]);
    await expectRows(cutDay, cutDaysStatement.text, [id, 7]);
  });

  it('of sessions', async () => {
    const { id: accountId } = await createAccount();
    const tokenHash = randomBytes(32);
    const client = { device: 'Firefox on Linux', address: '192.0.2.1' };
    const sessions = get(SessionsRepository);
    await transaction((tx) => sessions.insert(tx, { tokenHash, accountId, method: 'google', ...client }));
    await expectRows(sessionRow, findSessions.text, [[tokenHash], 30, 14]);
    await expectRows(sessionView, listSessions.text, [accountId, 30, 14]);
    await expectRows(z.strictObject({ hash: z.hex().length(64) }), liveSessions.text, [[tokenHash], 30, 14]);
    await expectRows(z.strictObject({ isNew: z.boolean() }), rememberDevice, [accountId, randomBytes(32)]);
    expect(await transaction((tx) => sessions.delete(tx, tokenHash))).toBe(accountId);
    expect(await transaction((tx) => sessions.delete(tx, Buffer.from(randomUUID())))).toBeUndefined();
  });

  it('of links in emails', async () => {
    const { id, email } = await createAccount();
    const tokenHash = randomBytes(32);
    await sql(
      `INSERT INTO email_links (token_hash, account_id, purpose, expires_at)
        VALUES ($1, $2, 'verify', now() + interval '1 hour')`,
      [tokenHash, id],
    );
    await expectRows(z.strictObject({ accountId: z.literal(id) }), findLink.text, [tokenHash, 'verify']);
    const found = z.strictObject({
      id: z.literal(id),
      email: z.literal(email),
      hasPassword: z.literal(false),
      isVerified: z.boolean(),
    });
    await expectRows(found, recoverable.text, [email]);
    await sql(`UPDATE accounts SET sign_in_type = 'custom', google_subject = NULL WHERE id = $1`, [id]);
    await expectRows(z.strictObject({ id: z.literal(id), email: z.literal(email) }), unverifiedAccount, [id]);
  });
});
