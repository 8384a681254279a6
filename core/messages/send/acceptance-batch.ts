import type { MessageKind } from '#contract/messages.js';
import type { ApiKey } from '../../keys/api-key.js';
import type { RowFiles } from '../files/message-files.repository.js';
import { uuidV7Floor } from '../../rules/ids.js';
import { normalAddress } from '../../rules/network-addresses.js';
import type { MessageCallback } from '../../webhooks/callbacks/callbacks.sql.js';
import type { acceptanceStatements, AcceptanceResult, DryRunFindings } from './acceptance.sql.js';
import type { SenderCandidates } from '../senders/conversation-owners.repository.js';
import type { Decision, Undecided } from './decision.js';
import type { PricedMessage } from './price.js';

/**
 * One request of a batch. Everything from `recipient` to `price` is null when the rules refused the
 * message.
 */
export interface AcceptanceRow {
  readonly id: string;
  readonly key: ApiKey;
  /** The caller's network address, normalized. */
  readonly address: string;
  readonly kind: MessageKind;
  readonly recipient: string | null;
  readonly country: string | null;
  /** Null until the acceptance statement has chosen it, unless the message's files were made for it. */
  sender: string | null;
  /** Undefined until the senders are ranked, and when the sender is already chosen. */
  candidates?: SenderCandidates | undefined;
  /** The number or the pool that the caller named. */
  readonly from?: string | undefined;
  readonly body: string | null;
  readonly segments: number | null;
  readonly price: number | null;
  readonly hasUrl: boolean;
  readonly reference: string | null;
  readonly idempotencyKey: string | null;
  readonly bodyHash: Buffer | null;
  /**
   * An earlier message to the same recipient with the same text, not older than this, is the
   * answer.
   */
  readonly dedupeSeconds?: number | undefined;
  /** Undefined for a message that leaves at once, does not expire, and has its kind's delivery. */
  readonly timing?: MessageTiming | undefined;
  /** Number of the step of a one-time password with channels. */
  readonly step?: number | undefined;
  /** The URL to call about this message. */
  readonly callback?: MessageCallback | undefined;
  /** The stored files of a message with files. */
  readonly files?: RowFiles | undefined;
  /** A dry run charges, stores and locks nothing. */
  readonly dryRun?: boolean;
}

/** A dry run, which returns the decision without effects. */
export interface RepeatableDryRunRow extends AcceptanceRow {
  readonly dryRun: true;
}

/** A dry run that no earlier request can have answered. */
export interface DryRunRow extends RepeatableDryRunRow {
  readonly idempotencyKey: null;
}

/** Times when a message leaves, expires and gets another route; null for at once and never. */
export interface MessageTiming {
  readonly sendAt: Date | null;
  /** Seconds from acceptance or `sendAt`. */
  readonly validitySeconds: number | null;
  /** Seconds from the hand-over; 0: it is delivered `once`. Undefined for its kind's default. */
  readonly hedgeSeconds?: number | undefined;
}

/** A request that becomes a row; missing fields are absent from the message. */
export interface RowRequest {
  /** UUIDv7 of the message. */
  readonly id: string;
  readonly key: ApiKey;
  /** The caller's network address. */
  readonly address: string;
  readonly kind: MessageKind;
  readonly from?: string | undefined;
  readonly reference?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly bodyHash?: Buffer | null | undefined;
  readonly timing?: MessageTiming | undefined;
  readonly dedupeSeconds?: number | undefined;
  readonly callback?: MessageCallback | undefined;
  readonly files?: RowFiles | undefined;
}

/**
 * Builds the row of a request, also if the rules refuse its message. Written field by field, since
 * V8 takes 8 µs, 4 % of an acceptance, for a copy with many more fields than the original.
 */
export function rowOf(request: RowRequest, priced: PricedMessage | null): AcceptanceRow {
  const price = priced?.price;
  return {
    id: request.id,
    key: request.key,
    address: normalAddress(request.address),
    kind: request.kind,
    recipient: price?.recipient ?? null,
    country: price?.country ?? null,
    sender: request.files?.sender ?? priced?.channelSender ?? null,
    // A channel has no conversations.
    candidates: priced?.channelSender === undefined ? undefined : { senders: [priced.channelSender], fresh: 0 },
    from: request.from,
    body: priced?.body ?? null,
    segments: price?.segments ?? null,
    price: price?.credits ?? null,
    hasUrl: price?.url !== undefined,
    reference: request.reference ?? null,
    idempotencyKey: request.idempotencyKey ?? null,
    bodyHash: request.bodyHash ?? null,
    dedupeSeconds: request.dedupeSeconds,
    timing: request.timing,
    step: priced?.step,
    callback: request.callback,
    files: request.files,
  };
}

interface AcceptanceSettings {
  readonly conversationHours: number;
  /** Whether free credits only send to verified numbers. */
  readonly ownNumbersOnly: boolean;
}

/** The parameters of a variant of the statement for a batch. */
export function acceptanceValues(
  batch: readonly AcceptanceRow[],
  variant: keyof typeof acceptanceStatements,
  { conversationHours, ownNumbersOnly }: AcceptanceSettings,
): unknown[] {
  const hasOptions = variant !== 'plain';
  return [
    batch.map(({ id }) => id),
    batch.map(({ key }) => key.hash),
    batch.map(({ address }) => address),
    batch.map(({ key }) => key.test),
    batch.map(({ kind }) => kind),
    batch.map(({ recipient }) => recipient),
    batch.map(({ country }) => country),
    batch.map(({ candidates, sender }) => candidates?.senders.join() ?? sender),
    batch.map(({ body }) => body),
    batch.map(({ segments }) => segments),
    batch.map(({ price }) => price),
    batch.map(({ hasUrl }) => hasUrl),
    batch.map(({ reference }) => reference),
    batch.map(({ idempotencyKey }) => idempotencyKey),
    batch.map(({ bodyHash }) => bodyHash),
    conversationHours,
    ownNumbersOnly,
    batch.map(({ from }) => from !== undefined),
    batch.map(({ candidates }) => candidates?.fresh ?? 1),
    ...(hasOptions ? optionValues(batch, new Date()) : []),
    ...(variant === 'options' ? [batch.map(({ dryRun = false }) => dryRun)] : []),
  ];
}

/** Whether a message of the batch must not be a duplicate. */
export function isDeduplicated(batch: readonly AcceptanceRow[]): boolean {
  return batch.some(({ dedupeSeconds }) => dedupeSeconds !== undefined);
}

/**
 * Maximum difference between servers' clocks: the search for earlier ids starts this much earlier.
 */
const CLOCK_SKEW_SECONDS = 3_600;

function optionValues(batch: readonly AcceptanceRow[], now: Date): unknown[] {
  const from = (seconds: number) => uuidV7Floor(new Date(now.getTime() - (seconds + CLOCK_SKEW_SECONDS) * 1_000));
  return [
    batch.map(({ timing }) => timing?.sendAt ?? null),
    batch.map(({ timing }) => timing?.validitySeconds ?? null),
    batch.map(({ dedupeSeconds = null }) => dedupeSeconds),
    batch.map(({ dedupeSeconds }) => (dedupeSeconds === undefined ? null : from(dedupeSeconds))),
    batch.map(({ timing }) => timing?.hedgeSeconds ?? null),
    batch.map(({ files }) => files?.hash ?? null),
    batch.map(({ step = null }) => step),
  ];
}

/** The variant of the statement for a batch of several accounts. */
export function acceptanceVariant(batch: readonly AcceptanceRow[]): 'plain' | 'options' {
  const hasOptions = ({ key, timing, dedupeSeconds, step, dryRun }: AcceptanceRow) =>
    key.named || timing !== undefined || dedupeSeconds !== undefined || step !== undefined || dryRun === true;
  return batch.some(hasOptions) ? 'options' : 'plain';
}

/** Converts a row of the acceptance statement. */
export function decisionOf(row: AcceptanceResult): Decision | Undecided {
  const { keyRatePerSecond, sender, repliesUnavailable, balance, findings } = row;
  const previewed = findings ? previewOf(row, findings) : undefined;
  if (previewed) return previewed;
  switch (row.verdict) {
    case 'accepted':
      return {
        kind: 'accepted',
        account: { id: row.accountId, keyRatePerSecond },
        sender,
        repliesUnavailable,
        balance,
      };
    case 'approved':
      return { kind: 'approved', account: { id: row.accountId, keyRatePerSecond }, balance };
    case 'sender_changed':
      return { kind: row.verdict, account: { id: row.accountId, keyRatePerSecond } };
    case 'replayed':
      return { kind: 'replayed', account: { id: row.accountId, keyRatePerSecond }, messageId: row.earlierId };
    case 'deduplicated':
      return {
        kind: 'deduplicated',
        account: { id: row.accountId, keyRatePerSecond },
        messageId: row.earlierId,
        balance,
      };
    case 'again':
      return { kind: 'again' };
    case 'behind_bulk':
      return { kind: 'behind_bulk' };
    case 'no_credit_account':
      return { kind: 'no_credit_account', accountId: row.accountId };
    case 'address_blocked':
    case 'unknown_api_key':
    case 'account_blocked':
    case 'key_expired':
    case 'key_address':
    case 'key_scope':
    case 'key_country':
    case 'country_disabled':
    case 'key_day_budget':
    case 'key_month_budget':
    case 'delivery_suspended':
    case 'idempotency_conflict':
    case 'no_credits':
    case 'number_not_verified':
    case 'url_not_activated':
    case 'recipient_opted_out':
    case 'daily_limit':
    case 'insufficient_credits':
    case 'credits_frozen': {
      const account = row.accountId === null ? null : { id: row.accountId, keyRatePerSecond };
      return { kind: 'refused', account, code: row.verdict };
    }
  }
}

/** Undefined when the caller is refused. */
function previewOf(
  { verdict, accountId, keyRatePerSecond, balance }: AcceptanceResult,
  { message, account, available }: DryRunFindings,
): Decision | Undecided | undefined {
  const isLetIn = verdict === 'approved' || verdict === message || verdict === account;
  if (!isLetIn || accountId === null) return undefined;
  const known = { id: accountId, keyRatePerSecond };
  if (message === 'sender_changed') return { kind: message, account: known };
  if (account === 'no_credit_account') return { kind: account, accountId };
  const refusal = [message, account].find((code) => code === verdict) ?? null;
  const refusals = { refusal, messageRefusal: message, accountRefusal: account };
  return { kind: 'previewed', account: known, ...refusals, balance, available };
}
