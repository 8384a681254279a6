import { ACCOUNT_KEY } from '../keys/callers.sql.js';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ActivityDay } from '#contract/dashboard.js';
import { messageKinds, messageStatuses, receiptLevels } from '#contract/messages.js';
import { newMessageId } from '../rules/ids.js';
import { newYorkDay } from '../rules/time.js';
import { ApiKeys } from '../keys/api-keys.js';
import { acceptanceRow } from '../testing/acceptance-rows.js';
import { statementScene } from '../testing/core-scene.js';
import type { TestAccount } from '../testing/test-accounts.js';
import {
  ConversationOwnersRepository,
  chosenStatement,
  ownersStatement,
  type Conversation,
} from './senders/conversation-owners.repository.js';
import { filesOfMessages, type MessageFileIds } from './files/message-files.repository.js';
import { regionSettingsStatement } from '../routes/current-regions.js';
import { openRoutesStatement, type RouteRow } from '../routes/choose-route.js';
import {
  isDueStatement,
  latestChangesStatement,
  openPausesStatement,
  type PauseEvent,
  type RouteFigures,
  routeFiguresStatement,
  routeFiguresValues,
  unrecordedPausesStatement,
} from '../routes/route-health.sql.js';
import type { RegionSetting } from '../rules/regions.js';
import { type ReportedRoute, routeReportStatement } from '../routes/route-report.js';
import { routeModes } from '../rules/routes.js';
import { ClaimMessages } from './dispatch/claim-messages.js';
import {
  beginPauseStatement,
  confirmEndStatement,
  endPauseStatement,
  latestPausesStatement,
  probeCandidateStatement,
  takeProbeStatement,
  type DispatchPauseState,
} from './dispatch/dispatch-pauses.js';
import {
  type DeliveryCount,
  deliveryCountsStatement,
  deliveryReasonsStatement,
  type DeliverySum,
  deliverySumsStatement,
} from '../figures/deliverability.js';
import {
  countStatement,
  type SpendCount,
  spendCountsStatement,
  type SpendSum,
  spendSumsStatement,
  uncountedStatement,
} from '../figures/spend.js';
import { addUpStatement, type CarrierSumRow, carrierSumsStatement, nextDayStatement } from '../figures/carrier-days.js';
import { storeCostsStatement } from './status/message-costs.js';
import { takenDaysStatement } from './store/day-reservations.sql.js';
import { spendKinds } from '#contract/spend.js';
import { type IndexedMatch, indexedMatchStatement } from './history/message-search.js';
import { sentDetailsStatement, type SentMessageDetails, statesStatement } from './history/sent-history.js';
import { chargeMismatchesStatement, filteredStatement } from './store/messages.repository.js';
import {
  expiredInQueueStatement,
  findPayloadStatement,
  OtpPayloads,
  type MessageBody,
  type StoredPayload,
} from './store/otp-payloads.js';
import {
  type DueMessage,
  DueMessagesRepository,
  type ReleasedRow,
  releaseScheduledStatement,
} from './recovery/due-messages.repository.js';
import type { UnsettledMessage } from './recovery/match-records.js';
import { Acceptance } from './send/acceptance.js';
import {
  type CanceledSchedule,
  cancelKeySchedules,
  countKeySchedules,
  nextCanceledSchedule,
} from './status/key-schedules.js';
import { CarrierMatches, matchedStatement } from './status/carrier-matches.js';
import {
  DeliverySuspensionsRepository,
  openStatement,
  reachStatement,
  suspectsStatement,
  type Reach,
  type Suspect,
  type Suspension,
} from './status/delivery-suspensions.repository.js';
import {
  releaseStatement,
  settleSoonStatement,
  type Transition,
  updateStatusStatement,
} from './status/status-updates.js';
import { type SummaryRow, summaryStatement } from './history/message-activity.js';

const RECIPIENT = '+14155550188';
const SENDER = '+15005550006';

const kind = z.enum(messageKinds);
const idOnly = z.strictObject({ id: z.uuid() });
const transition = z.strictObject({
  id: z.uuid(),
  accountId: z.uuid(),
  kind,
  step: z.int().nullable(),
  status: z.enum(['sent', 'delivered', 'undelivered', 'failed', 'canceled']),
  refunded: z.int(),
  recipient: z.string(),
  sender: z.string(),
  segments: z.int(),
  credits: z.int(),
  reference: z.string().nullable(),
  errorCode: z.string().nullable(),
  carrier: z.literal(1),
  carrierError: z.int().nullable(),
  reservedOn: z.iso.date().nullable(),
  callbackId: z.uuid().nullable(),
}) satisfies z.ZodType<Transition>;
const summaryRow: z.ZodType<SummaryRow> = z.strictObject({
  country: z.string(),
  messages: z.int(),
  credits: z.int(),
  delivered: z.int(),
});
const dueColumns = {
  id: z.uuid(),
  accountId: z.uuid(),
  kind,
  recipient: z.string(),
  sender: z.string(),
  body: z.string(),
  carrier: z.literal(1),
  attempts: z.int(),
  expired: z.boolean(),
  isSlow: z.boolean(),
  isFast: z.boolean(),
  waitsSince: z.date(),
  carrierId: z.string().nullable(),
  claimedAt: z.date().nullable(),
  leaseOver: z.boolean().nullable(),
};
const dueMessage: z.ZodType<DueMessage> = z.discriminatedUnion('status', [
  z.strictObject({ ...dueColumns, status: z.literal('queued') }),
  z.strictObject({ ...dueColumns, status: z.literal('sending'), claimedAt: z.date(), leaseOver: z.boolean() }),
  z.strictObject({ ...dueColumns, status: z.literal('sent'), carrierId: z.string() }),
]);
const released: z.ZodType<ReleasedRow> = z.strictObject({
  schedules: z.int(),
  id: z.uuid(),
  accountId: z.uuid(),
  kind,
});
const unsettled: z.ZodType<UnsettledMessage & { leaseOver: boolean }> = z.strictObject({
  id: z.uuid(),
  sender: z.string(),
  text: z.string(),
  files: z.int(),
  attempts: z.int(),
  waitsSince: z.date(),
  claimedAt: z.date(),
  leaseOver: z.boolean(),
});
const spent = { messages: z.int(), charged: z.int(), refunded: z.int() };
const spendSum: z.ZodType<SpendSum> = z.strictObject({
  day: z.iso.date().nullable(),
  month: z.string().nullable(),
  country: z.string().nullable(),
  kind: z.enum(spendKinds).nullable(),
  keyId: z.uuid().nullable(),
  ...spent,
});
const spendCount: z.ZodType<SpendCount> = z.strictObject({
  day: z.iso.date(),
  kind: z.enum(spendKinds),
  country: z.string(),
  keyId: z.uuid(),
  ...spent,
});
const details: z.ZodType<SentMessageDetails> = z.strictObject({
  number: z.int(),
  createdAt: z.date(),
  id: z.uuid(),
  recipient: z.string(),
  body: z.string(),
  segments: z.int(),
  status: z.enum(messageStatuses),
  credits: z.int(),
  refunded: z.int(),
  reference: z.string().nullable(),
  errorCode: z.string().nullable(),
  sendAt: z.date().nullable(),
  sender: z.string(),
  carrierError: z.int().nullable(),
  claimedAt: z.date().nullable(),
  sentAt: z.date().nullable(),
  finishedAt: z.date().nullable(),
  media: z.null(),
  receiptLevel: z.literal('handset'),
});
const activityDay: z.ZodType<Omit<ActivityDay, 'queued'>> = z.strictObject({
  day: z.iso.date(),
  scheduled: z.int(),
  sent: z.int(),
  delivered: z.int(),
  undelivered: z.int(),
  failed: z.int(),
  canceled: z.int(),
});
const deliverySum: z.ZodType<DeliverySum> = z.strictObject({
  day: z.iso.date().nullable(),
  country: z.string().nullable(),
  keyId: z.string().nullable(),
  reason: z.string().nullable(),
  messages: z.int(),
  delivered: z.int(),
});
const deliveryCount: z.ZodType<DeliveryCount> = z.strictObject({
  day: z.iso.date(),
  country: z.string(),
  keyId: z.string(),
  reason: z.string(),
  messages: z.int(),
});
const conversation: z.ZodType<Conversation> = z.strictObject({
  accountId: z.uuid(),
  recipient: z.string(),
  sender: z.string(),
});
const openRoute: z.ZodType<RouteRow> = z.strictObject({
  country: z.string(),
  carrier: z.literal(1),
  weight: z.literal(90),
  restingWeight: z.int(),
  costMicrousd: z.int().nullable(),
  active: z.boolean(),
  usesOwnSenders: z.boolean(),
  mode: z.enum(routeModes),
  isPaused: z.boolean(),
  deliveredShare: z.number().nullable(),
});
const routeFigures: z.ZodType<RouteFigures> = z.strictObject({
  country: z.string(),
  carrier: z.literal(1),
  messages: z.int(),
  bad: z.int(),
  newestBad: z.int(),
  worstMessages: z.int(),
  worstBad: z.int(),
  hourMessages: z.int(),
  hourDelivered: z.int(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
});
const reportedRoute: z.ZodType<ReportedRoute> = z.strictObject({
  country: z.string(),
  carrier: z.literal(1),
  mode: z.enum(routeModes),
  active: z.boolean(),
  weight: z.int(),
  restingWeight: z.int(),
  isHeld: z.boolean(),
  costMicrousd: z.int().nullable(),
  receiptLevel: z.enum(receiptLevels),
  isDoubtful: z.boolean(),
  isCarrierPaused: z.boolean(),
  messages: z.int(),
  bad: z.int(),
  hourMessages: z.int(),
  hourDelivered: z.int(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  measuredAt: z.date().nullable(),
  codesDelivered: z.int(),
  codesEntered: z.int(),
});
const pauseEvent: z.ZodType<PauseEvent> = z.strictObject({
  id: z.int(),
  carrier: z.literal(1),
  cause: z.enum(['carrier_paused', 'carrier_resumed']),
  at: z.date(),
  httpStatus: z.int().nullable(),
  carrierError: z.int().nullable(),
  probes: z.int(),
  othersPaused: z.array(z.int()),
});
const regionSetting: z.ZodType<RegionSetting> = z.strictObject({
  code: z.string(),
  active: z.boolean().nullable(),
  otp: z.boolean().nullable(),
  voice: z.boolean().nullable(),
  credits: z.int().nullable(),
});
const digits = z.string().regex(/^\d+$/);
const carrierSum: z.ZodType<CarrierSumRow> = z.strictObject({
  accountId: z.uuid(),
  country: z.string(),
  carrier: z.int(),
  messages: digits,
  credits: digits,
  realMicrousd: digits,
  estimatedMicrousd: digits,
  unpricedSegments: digits,
});
const suspect: z.ZodType<Suspect> = z.strictObject({ accountId: z.uuid(), undelivered: z.int() });
const reach: z.ZodType<Reach> = z.strictObject({ recipients: z.int(), undelivered: z.int() });
const suspension: z.ZodType<Suspension> = z.strictObject({
  recipients: z.int(),
  undelivered: z.int(),
  suspendedAt: z.date(),
  isLiftUsed: z.boolean(),
});
const pause: z.ZodType<DispatchPauseState> = z.strictObject({
  carrier: z.literal(1),
  since: z.date(),
  httpStatus: z.int(),
  carrierError: z.int().nullable(),
  probes: z.int(),
  nextProbeAt: z.date(),
  resumedAt: z.date().nullable(),
  isTentative: z.boolean(),
});
const payload: z.ZodType<StoredPayload> = z.strictObject({
  sealed: z.instanceof(Buffer),
  encryptionKeyId: z.string(),
  isUseful: z.boolean(),
});
const messageBody: z.ZodType<MessageBody> = z.strictObject({ id: z.uuid(), kind, body: z.string() });

describe('message statements return the rows that their types declare', () => {
  const { createAccount, expectRows, get, sql, transaction } = statementScene();
  let account: TestAccount;
  let id: string;

  beforeEach(async () => {
    account = await createAccount();
    const row = acceptanceRow({ get }, account.apiKey, { recipient: RECIPIENT, sender: SENDER });
    await get(Acceptance).decide(row);
    id = row.id;
  });

  const claim = () => get(ClaimMessages).claim(id);
  const expectTransition = (status: string, values: unknown[]) =>
    expectRows(
      transition.extend({ carrierId: z.null(), hadCome: z.null() }),
      updateStatusStatement.text,
      [id, status, ...values].map((value) => [value]),
    );
  const standing = z.looseObject({
    id: z.uuid(),
    accountId: z.null(),
    carrier: z.literal(1),
    carrierId: z.literal('SM1'),
    hadCome: z.literal(true),
  });

  it('of claims and status updates', async () => {
    await claim();
    await expectRows(idOnly, settleSoonStatement.text, [[id], 5]);
    await expectRows(idOnly.extend({ accountId: z.uuid() }), releaseStatement.text, [[id], [1], [0]]);
    await claim();
    await expectTransition('sent', ['SM1', null, null, false, false, newMessageId(), 1, null]);
    await expectTransition('undelivered', ['SM1', 'carrier_rejected', 30_003, true, false, newMessageId(), 1, null]);
    const repeated = [id, 'undelivered', 'SM1', null, null, true, false, newMessageId(), 1, null].map((value) => [
      value,
    ]);
    await expectRows(standing, updateStatusStatement.text, repeated);
    await expectRows(activityDay, statesStatement.text, [account.id, [newYorkDay(new Date())]]);
    const days = [account.id, newYorkDay(new Date()), newYorkDay(new Date())];
    await expectRows(deliverySum, deliverySumsStatement.text, days);
    await expectRows(deliveryCount, deliveryCountsStatement.text, days);
    await expectRows(spendSum, spendSumsStatement.text, days);
    await expectRows(spendCount, spendCountsStatement.text, days);
    const uncounted = z.strictObject({ accountId: z.uuid(), last: z.number() });
    await expectRows(uncounted, uncountedStatement.text, [new Date(0)]);
    await sql(countStatement.text, [[account.id], [0]]);
    await expectRows(spendSum, spendSumsStatement.text, days);
    const taken = z.strictObject({ day: z.iso.date(), taken: z.int() });
    await expectRows(taken, takenDaysStatement.text, [account.id, [newYorkDay(new Date())]]);
    await expectRows(z.strictObject({ reason: z.string() }), deliveryReasonsStatement.text, [...days, 10]);
    const match: z.ZodType<IndexedMatch> = z.strictObject({ isReference: z.boolean(), isRecipient: z.boolean() });
    await expectRows(match, indexedMatchStatement.text, [account.id, 'vip-49', null]);
    await expectRows(summaryRow, summaryStatement.text, [account.id, 1]);
    await expectRows(details, sentDetailsStatement.text, [id, account.id]);
    await transaction((tx) => get(CarrierMatches).add(tx, 'SM2', id));
    await expectRows(z.strictObject({ carrierId: z.string(), messageId: z.uuid() }), matchedStatement.text, [['SM2']]);
    await expectRows(z.strictObject({ mismatches: z.int() }), chargeMismatchesStatement.text);
  });

  it('of recovery', async () => {
    const due = get(DueMessagesRepository);
    const expectDue = async (status: DueMessage['status']) => {
      await sql('UPDATE message_checks SET due_at = now() WHERE $1 = ANY (message_ids)', [id]);
      const rows = (await due.take(0, 0)).filter((row) => row.id === id);
      expect(rows.map((row) => dueMessage.parse(row).status)).toEqual([status]);
    };
    expect(await due.expedite()).toBeGreaterThan(0);
    await expectDue('queued');
    const claimed = await claim();
    expect(claimed?.row.verdict).toBe('claimed');
    await expectDue('sending');
    const other = { id: randomUUID(), accountId: account.id, kind: 'sms', recipient: RECIPIENT } as const;
    const now = new Date();
    const sending = { ...other, sender: SENDER, body: '', carrier: 1, attempts: 1, status: 'sending' } as const;
    const found = await transaction((tx) =>
      due.unsettledTo(
        tx,
        { ...sending, waitsSince: now, expired: false, isSlow: false, isFast: false, claimedAt: now, leaseOver: false },
        60,
      ),
    );
    expect(z.array(unsettled).parse(found)).toHaveLength(1);
    await expectTransition('sent', ['SM3', null, null, false, false, newMessageId(), 1, null]);
    await expectDue('sent');
  });

  it('of searches', async () => {
    const found = z.strictObject({ ids: z.array(z.uuid()), scannedTo: z.uuid().nullable() });
    const values = [
      account.id,
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      null,
      'queued',
      null,
      null,
      null,
      null,
      null,
      5,
      null,
    ];
    await expectRows(found, filteredStatement('account').text, values);
    await expectRows(found, filteredStatement('failures').text, values.with(10, '30003'));
    await expectRows(found, filteredStatement('reference').text, values.with(4, 'order 7'));
    await expectRows(found, filteredStatement('recipient').text, values.with(2, RECIPIENT));
  });

  it('of releases', async () => {
    const timing = { sendAt: new Date(), validitySeconds: 60 };
    await get(Acceptance).decide(acceptanceRow({ get }, account.apiKey, { timing }));
    const waiting = z.strictObject({ messages: z.int() });
    const keyId = await get(ApiKeys).defaultId(account.id);
    await expectRows(waiting, countKeySchedules.text, [account.id, keyId]);
    await expectRows(released, releaseScheduledStatement.text);
    await expectRows(
      z.strictObject({ schedules: z.int(), id: z.null(), accountId: z.null(), kind: z.null() }),
      releaseScheduledStatement.text,
    );
    await get(Acceptance).decide(acceptanceRow({ get }, account.apiKey, { timing }));
    await expectRows(waiting, cancelKeySchedules.text, [account.id, keyId]);
    const canceled = z.strictObject({ sendAt: z.date(), id: z.string(), messageIds: z.array(z.uuid()) });
    await expectRows(canceled satisfies z.ZodType<CanceledSchedule>, nextCanceledSchedule.text);
  });

  it('of conversations', async () => {
    const { key } = acceptanceRow({ get }, account.apiKey);
    await transaction((tx) =>
      get(ConversationOwnersRepository).keep(tx, [{ accountId: account.id, recipient: RECIPIENT, sender: SENDER }]),
    );
    const chosen = z.strictObject({ sender: z.literal(SENDER) });
    await expectRows(chosen, chosenStatement.text, [[key.hash], [RECIPIENT], [`+15005550001,${SENDER}`], [1], 72]);
    await expectRows(conversation, ownersStatement.text, [[RECIPIENT], 72]);
    await sql('INSERT INTO account_senders (account_id, sender) VALUES ($1, $2)', [account.id, '+15005550009']);
    await sql(
      `INSERT INTO routes (country, carrier, resting_weight, weight, manual_weight) VALUES ('US', 1, 50, 10, 90)`,
    );
    await expectRows(openRoute, openRoutesStatement.text);
    await sql(`INSERT INTO region_settings VALUES ('FRA', true, NULL, 6)`);
    await expectRows(regionSetting, regionSettingsStatement.text);
  });

  it('of costs', async () => {
    const span = z.strictObject({ first: z.iso.date(), last: z.iso.date() });
    await expectRows(span, nextDayStatement.text);
    await sql(storeCostsStatement.text, [[id], [1], ['7900']]);
    const today = newYorkDay(new Date());
    await expectRows(carrierSum, carrierSumsStatement.text, [today, today]);
    await expectRows(z.strictObject({ rows: z.int().positive() }), addUpStatement.text, [today, today]);
  });

  it('of suspensions', async () => {
    await sql(
      `INSERT INTO delivery_days (account_id, day, country, key_id, reason, messages)
       VALUES ($1, (now() AT TIME ZONE 'America/New_York')::date, 'US', '${ACCOUNT_KEY}', '30003', 1000)`,
      [account.id],
    );
    await expectRows(suspect, suspectsStatement.text);
    await sql(`UPDATE delivery_days SET reason = '' WHERE account_id = $1 AND messages = 1000`, [account.id]);
    expect(await sql(suspectsStatement.text)).toEqual([]);
    await expectRows(reach, reachStatement.text, [account.id]);
    await transaction((tx) =>
      get(DeliverySuspensionsRepository).insert(tx, account.id, { recipients: 60, undelivered: 40 }),
    );
    await expectRows(suspension, openStatement.text, [account.id]);
  });

  it('of dispatch pauses', async () => {
    const begun = z.strictObject({ repeated: z.boolean(), begun: z.boolean() });
    const pauseId = z.strictObject({ id: z.int() });
    await expectRows(begun, beginPauseStatement.text, [id, 401, 20_003, 0, 1]);
    await expectRows(pause, latestPausesStatement.text);
    await expectRows(pauseId, takeProbeStatement.text, [1, 60]);
    await expectRows(idOnly, probeCandidateStatement.text, [1, [], [], 1]);
    await expectRows(z.strictObject({ carrier: z.literal(1) }), openPausesStatement.text);
    await expectRows(pauseId, endPauseStatement.text, [1, true]);
    await expectRows(pauseId, confirmEndStatement.text, [1]);
    await expectRows(pauseEvent, unrecordedPausesStatement.text);
  });

  it('of the health of routes', async () => {
    await sql(
      `INSERT INTO routes (country, carrier, resting_weight, weight) VALUES ('US', 1, 1, 1) ON CONFLICT DO NOTHING`,
    );
    await sql(
      `INSERT INTO route_changes (country, "from", "to", cause, figures)
       VALUES ('US', '{}', '{"1": 1}', 'silent', '{}')`,
    );
    await sql(`UPDATE messages SET claimed_at = now(), finished_at = now(), status = 'delivered' WHERE id = $1`, [id]);
    await expectRows(reportedRoute, routeReportStatement.text);
    await expectRows(routeFigures, routeFiguresStatement.text, [...routeFiguresValues]);
    await expectRows(z.strictObject({ due: z.literal(true) }), isDueStatement.text);
    const change = z.strictObject({ country: z.string(), cause: z.literal('silent'), minutes: z.number() });
    await expectRows(change, latestChangesStatement.text);
  });

  it('of the files of messages', async () => {
    const { id: accountId, apiKey } = await createAccount();
    const ids = [randomUUID(), randomUUID()];
    const files = { givenIds: ids, sentIds: ids, transcode: true, sender: SENDER, hash: Buffer.alloc(32) };
    const row = acceptanceRow({ get }, apiKey, { kind: 'mms', files });
    await get(Acceptance).decide(row);
    const fileIds: z.ZodType<MessageFileIds> = z.strictObject({
      messageId: z.uuid(),
      givenIds: z.array(z.uuid()),
      sentIds: z.array(z.uuid()),
      transcode: z.boolean(),
    });
    await expectRows(fileIds, filesOfMessages.text, [accountId, [row.id]]);
  });

  it('of OTP payloads', async () => {
    await transaction((tx) => get(OtpPayloads).keep(tx, [{ messageId: id, text: 'Your code', usefulSeconds: 0 }]));
    await expectRows(payload, findPayloadStatement.text, [id]);
    await expectRows(messageBody, expiredInQueueStatement.text);
  });
});
