import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { MessageMedia } from '#contract/message-media.js';
import type { MessageKind } from '#contract/messages.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { ApiKeyUsage } from '../../keys/api-key-usage.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { deliveryOf } from '../../rules/delivery.js';
import { newMessageId, publicMessageId } from '../../rules/ids.js';
import type { MessageCallback } from '../../webhooks/callbacks/callbacks.sql.js';
import { MessageQueues } from '../store/message-queues.js';
import { Acceptance } from './acceptance.js';
import type { AcceptedMessage } from './accepted-message.js';
import { EarlierAnswers } from './earlier-answers.js';
import type { RowFiles } from '../files/message-files.repository.js';
import { type MessageTiming, rowOf, type RowRequest } from './acceptance-batch.js';
import {
  asRefusal,
  refusalOf,
  type Decision,
  type FinalDecision,
  type FoundUrl,
  type RefusalCode,
  type RepeatableDryRunDecision,
} from './decision.js';
import { IdempotencyKeysInFlight } from './idempotency-keys-in-flight.js';
import type { PricedMessage } from './price.js';
import type { ApiKey } from '../../keys/api-key.js';

/** A request to send a message of any kind. */
export interface MessageRequest {
  readonly kind: MessageKind;
  readonly key: ApiKey;
  /** The number or the pool that the caller named. */
  readonly from?: string | undefined;
  readonly reference: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Undefined for a message that leaves at once, does not expire, and has its kind's delivery. */
  readonly timing?: MessageTiming | undefined;
  /**
   * An earlier message to the same recipient with the same text, not older than this, is the
   * answer.
   */
  readonly dedupeSeconds?: number | undefined;
  /** The URL to call about this message. */
  readonly callback?: MessageCallback | undefined;
  /** The stored files of a message with files. */
  readonly files?: RowFiles | undefined;
  /** The caller's network address. */
  readonly address: string;
  readonly context?: RequestContext | undefined;
}

/** A message to be charged and stored. */
export interface PreparedMessage extends PricedMessage {
  /** UUIDv7. */
  readonly id: string;
}

/**
 * Prepares the message of a request while others with its Idempotency-Key are refused; returns the
 * refusal of the rules, as {@link AcceptMessage.accept} takes it.
 */
type PrepareMessage = () => Promise<PreparedMessage | DomainError>;

/** The files of a message that is about to be accepted. */
export interface AttachedFiles {
  /** The text of a message whose files became links; undefined for one that leaves with its files. */
  readonly body?: string | undefined;
  /** The stored files; undefined in a test, and for links. */
  readonly row?: RowFiles | undefined;
  /** The files as the answer shows them; undefined for links. */
  readonly shown?: readonly MessageMedia[] | undefined;
}

/** Outcome that a test of a message would have. */
interface PreviewedMessage {
  readonly accountId: string;
  /** Balance in credits. */
  readonly balance: number;
  /** Credits of the balance that no dispute has frozen. */
  readonly available: number;
}

/**
 * Charges, stores and enqueues a message of any kind. Throws the cases of the error table, in its
 * order.
 */
@Injectable()
export class AcceptMessage {
  constructor(
    private readonly acceptance: Acceptance,
    private readonly inFlight: IdempotencyKeysInFlight,
    private readonly queues: MessageQueues,
    private readonly earlierAnswers: EarlierAnswers,
    private readonly apiKeys: ApiKeys,
    private readonly keyUsage: ApiKeyUsage,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Accepts a message or throws the refusal, which changes nothing. `fields` are the caller's
   * input, which must be the same for a repeated Idempotency-Key. When the rules refuse the
   * message, `message` is their error, which is thrown unless an earlier case of the error table
   * applies.
   *
   * `attach` prepares the files of a message with files for the account. It runs after a dry run:
   * nothing is fetched for a message that would be refused or that an earlier request has made, so
   * that a repeated request does not depend on the present content of a URL.
   */
  accept(
    request: MessageRequest,
    fields: readonly unknown[],
    message: PreparedMessage | DomainError | PrepareMessage,
    attach?: (accountId: string) => Promise<AttachedFiles>,
  ): Promise<AcceptedMessage> {
    return this.counted(async () => {
      if (message instanceof DomainError) {
        // A refused message does not count as in flight: it must not block a running request.
        this.inFlight.refuseRunning(request);
        return this.refuse(request, fields, message);
      }
      return this.inFlight.alone(request, async () => {
        const prepared = typeof message === 'function' ? await message() : message;
        if (prepared instanceof DomainError) return this.refuse(request, fields, prepared);
        if (!attach) return this.charge(request, fields, prepared);
        return this.chargeWithFiles(request, fields, prepared, attach);
      });
    }, verdictOf);
  }

  /**
   * Decides as for a test of the message: charges, stores and locks nothing. Throws the errors that
   * a test of the message throws; `message` is the error if the rules refuse the message.
   */
  preview(
    request: Pick<MessageRequest, 'kind' | 'key' | 'address' | 'from' | 'context'>,
    message: PreparedMessage | DomainError,
  ): Promise<PreviewedMessage> {
    return this.counted(
      async () => {
        const { kind, key, address, from, context } = request;
        const priced = message instanceof DomainError ? null : message;
        const row = rowOf({ id: priced?.id ?? newMessageId(), kind, key, address, from }, priced);
        const decision = await this.acceptance.decide({ ...row, idempotencyKey: null, dryRun: true }, context);
        this.noteUse(request, decision);
        if (decision.kind === 'refused') throw refusalOf(decision.code, new Date(), decision.cause);
        if (message instanceof DomainError) throw message;
        const { account, messageRefusal, balance, available } = decision;
        if (messageRefusal) throw refusalOf(messageRefusal, new Date(), undefined, message.price.url);
        return { accountId: account.id, balance, available };
      },
      () => 'tested',
    );
  }

  /** Counts the outcome of a request by its verdict, or by the code of its error. */
  private async counted<T>(work: () => Promise<T>, verdict: (outcome: T) => string): Promise<T> {
    const { accepts } = this.telemetry.metrics;
    try {
      const outcome = await work();
      accepts.inc({ verdict: verdict(outcome) });
      return outcome;
    } catch (error) {
      accepts.inc({ verdict: error instanceof DomainError ? error.code : 'internal' });
      throw error;
    }
  }

  private async chargeWithFiles(
    request: MessageRequest,
    fields: readonly unknown[],
    message: PreparedMessage,
    attach: (accountId: string) => Promise<AttachedFiles>,
  ): Promise<AcceptedMessage> {
    const { timing, context } = request;
    const { dedupeSeconds: _dedupe, ...asked } = requestOf(message.id, request, fields);
    const decision = await this.acceptance.decide({ ...rowOf(asked, message), dryRun: true }, context);
    this.noteUse(request, decision);
    const { url } = message.price;
    switch (decision.kind) {
      case 'previewed': {
        const { account, refusal } = decision;
        if (refusal !== null) throw refusalOf(codeOf(refusal, timing), new Date(), undefined, url);
        const { body = message.body, row, shown } = await attach(account.id);
        const accepted = await this.charge({ ...request, files: row }, fields, { ...message, body });
        return accepted.replayed || accepted.deduplicated || !shown ? accepted : { ...accepted, files: shown };
      }
      case 'replayed':
        return this.earlierAnswers.of(decision.messageId);
      case 'deduplicated':
        return this.deduplicate(decision);
      case 'refused':
        throw await this.refusalOf(request, decision, url);
    }
  }

  private async charge(
    request: MessageRequest,
    fields: readonly unknown[],
    message: PreparedMessage,
  ): Promise<AcceptedMessage> {
    const { kind, timing, context } = request;
    const { id, price } = message;
    const { credits, url } = price;
    const row = rowOf(requestOf(id, request, fields), message);
    const decision = await this.acceptance.decide(row, context);
    this.noteUse(request, decision);
    switch (decision.kind) {
      case 'accepted': {
        const accountId = decision.account.id;
        if (!timing?.sendAt) this.queues.enqueue({ id, accountId, kind, context }, row.sender);
        const { requestId, traceparent } = context ?? {};
        this.telemetry.logger.debug({ requestId, traceparent, messageId: id, accountId, credits }, 'message accepted');
        return acceptedAs(message, request, decision);
      }
      case 'approved':
        return acceptedAs(message, request, decision);
      case 'replayed':
        return this.earlierAnswers.of(decision.messageId);
      case 'deduplicated':
        return this.deduplicate(decision);
      case 'refused':
        throw await this.refusalOf(request, decision, url);
    }
  }

  /** An account's own cases, and a replay, come before the rules' refusal. */
  private async refuse(
    request: MessageRequest,
    fields: readonly unknown[],
    refusal: DomainError,
  ): Promise<AcceptedMessage> {
    // The time, which the rules may have refused, does not matter.
    const row = rowOf(
      { ...requestOf(newMessageId(), request, fields), timing: undefined, callback: undefined, files: undefined },
      null,
    );
    const decision = await this.acceptance.decide(row, request.context);
    this.noteUse(request, decision);
    if (decision.kind === 'replayed') return this.earlierAnswers.of(decision.messageId);
    if (decision.kind === 'deduplicated') return this.deduplicate(decision);
    throw decision.kind === 'refused' ? await this.refusalOf({ ...request, timing: undefined }, decision) : refusal;
  }

  /** The statement does not return a key's scopes, so this reads them for the error. */
  private async refusalOf(
    { kind, key, address, timing }: MessageRequest,
    { code, cause }: Extract<FinalDecision, { readonly kind: 'refused' }>,
    url?: FoundUrl,
  ): Promise<DomainError> {
    const refusal = refusalOf(codeOf(code, timing), new Date(), cause, url);
    if (code !== 'key_scope') return refusal;
    const named = await this.apiKeys.authenticate(key, address, kind === 'otp' ? 'otp' : 'send').catch(asRefusal);
    return named instanceof DomainError ? named : refusal;
  }

  private noteUse(
    { key, address }: Pick<MessageRequest, 'key' | 'address'>,
    { account }: FinalDecision | RepeatableDryRunDecision,
  ): void {
    if (account) this.keyUsage.record(key, account.keyRatePerSecond, address);
  }

  private async deduplicate(decision: Extract<Decision, { kind: 'deduplicated' }>): Promise<AcceptedMessage> {
    const earlier = await this.earlierAnswers.of(decision.messageId);
    return { ...earlier, balance: decision.balance, replayed: false, deduplicated: true };
  }
}

function requestOf(id: string, request: MessageRequest, fields: readonly unknown[]): RowRequest {
  const { kind, key, address, from, reference, idempotencyKey, timing, dedupeSeconds, callback, files } = request;
  const bodyHash = bodyHashOf(request, fields);
  return { id, kind, key, address, from, reference, idempotencyKey, bodyHash, timing, dedupeSeconds, callback, files };
}

function acceptedAs(
  { id, price, body }: PreparedMessage,
  { kind, reference, timing }: MessageRequest,
  decision: Extract<FinalDecision, { readonly kind: 'accepted' | 'approved' }>,
): AcceptedMessage {
  const { segments, credits, encoding } = price;
  const sendAt = timing?.sendAt ?? undefined;
  const hedgeSeconds = timing?.hedgeSeconds ?? null;
  return {
    accountId: decision.account.id,
    messageId: publicMessageId(id),
    segments,
    credits,
    encoding,
    body,
    reference,
    sendAt,
    delivery: hedgeSeconds === null ? undefined : deliveryOf(kind, hedgeSeconds),
    balance: decision.balance,
    repliesUnavailable: decision.kind === 'accepted' && decision.repliesUnavailable,
    test: decision.kind === 'approved',
    replayed: false,
    deduplicated: false,
  };
}

/**
 * The limit of a scheduled message's day differs from today's limit and does not end at midnight.
 */
export function codeOf(code: RefusalCode, timing: MessageTiming | undefined): RefusalCode {
  return code === 'daily_limit' && timing?.sendAt ? 'send_day_full' : code;
}

function verdictOf({ test, replayed, deduplicated }: AcceptedMessage): string {
  if (test) return 'tested';
  if (deduplicated) return 'deduplicated';
  return replayed ? 'replayed' : 'accepted';
}

/** Hash of the fields, independent of the body's encoding; null without an Idempotency-Key. */
function bodyHashOf({ reference, idempotencyKey }: MessageRequest, fields: readonly unknown[]): Buffer | null {
  if (idempotencyKey === undefined) return null;
  return createHash('sha256')
    .update(JSON.stringify([...fields, reference ?? null]))
    .digest();
}
