import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { MessageMedia } from '#contract/message-media.js';
import type { Delivery, MessageKind } from '#contract/messages.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { ApiKeyUsage } from '../../keys/api-key-usage.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { deliveryOf } from '../../rules/delivery.js';
import { newMessageId, publicMessageId } from '../../rules/ids.js';
import { segmentsOf } from '../../rules/segments.js';
import type { MessageCallback } from '../../webhooks/callbacks/callbacks.sql.js';
import { MessageFiles } from '../files/message-files.js';
import { MessageQueues } from '../store/message-queues.js';
import { RunAcceptance } from './run-acceptance.js';
import { Acceptance } from './acceptance.js';
import type { RowFiles } from '../files/message-files.repository.js';
import { type MessageTiming, rowOf, type RowRequest } from './acceptance-batch.js';
import {
  asRefusal,
  refusalOf,
  type Decision,
  type FinalDecision,
  type FoundUrl,
  type RefusalCode,
} from './decision.js';
import type { Price, PricedMessage } from './price.js';
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

/** Outcome that accepting a message would have now. */
export type Foreseen =
  /** It would be accepted. */
  | { readonly kind: 'acceptable'; readonly accountId: string }
  /** An earlier request has made the message, and its answer is this. */
  | { readonly kind: 'answered'; readonly answer: AcceptedMessage };

export interface AcceptedMessage {
  readonly accountId: string;
  readonly messageId: string;
  readonly segments: number;
  /** The price in credits; charged unless `test`. */
  readonly credits: number;
  readonly encoding: Price['encoding'];
  /** The text, or its replacement for display. */
  readonly body: string;
  readonly reference: string | undefined;
  /** Balance in credits, after the charge. */
  readonly balance: number;
  /** Time when a scheduled message leaves. */
  readonly sendAt: Date | undefined;
  /** Delivery, if the caller chose it. */
  readonly delivery: Delivery | undefined;
  /** The files as they are sent; in a test, the files that it read. */
  readonly files?: readonly MessageMedia[] | undefined;
  /** Another account owns the conversation with this recipient, and gets the replies. */
  readonly repliesUnavailable: boolean;
  readonly test: boolean;
  /** Whether this is the answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** An earlier message is the answer; nothing was charged. */
  readonly deduplicated: boolean;
}

/**
 * Charges, stores and enqueues a message of any kind. Throws the cases of the error table, in its
 * order.
 */
@Injectable()
export class AcceptMessage {
  private readonly inFlight = new IdempotencyKeysInFlight();

  constructor(
    private readonly acceptance: Acceptance,
    private readonly queues: MessageQueues,
    private readonly runAcceptance: RunAcceptance,
    private readonly messageFiles: MessageFiles,
    private readonly apiKeys: ApiKeys,
    private readonly keyUsage: ApiKeyUsage,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Accepts a message or throws the refusal, which changes nothing. `fields` are the caller's
   * input, which must be the same for a repeated Idempotency-Key. When the rules refuse the
   * message, `message` is their error, which is thrown unless an earlier case of the error table
   * applies.
   */
  async accept(
    request: MessageRequest,
    fields: readonly unknown[],
    message: PreparedMessage | DomainError,
  ): Promise<AcceptedMessage> {
    let leave: (() => void) | undefined;
    try {
      if (this.inFlight.has(request)) throw refusalOf('idempotency_in_progress', new Date());
      // A refused message does not count as in flight: it must not block a running request.
      if (!(message instanceof DomainError)) leave = this.inFlight.enter(request);
      const accepted =
        message instanceof DomainError
          ? await this.refuse(request, fields, message)
          : await this.charge(request, fields, message);
      this.telemetry.metrics.accepts.inc({ verdict: verdictOf(accepted) });
      return accepted;
    } catch (error) {
      this.telemetry.metrics.accepts.inc({ verdict: error instanceof DomainError ? error.code : 'internal' });
      throw error;
    } finally {
      leave?.();
    }
  }

  /**
   * As {@link accept}, but charges and stores nothing; for use before costly work. Throws the
   * errors that accepting the message throws now.
   */
  async foresee(request: MessageRequest, fields: readonly unknown[], message: PreparedMessage): Promise<Foreseen> {
    const { timing, context } = request;
    const { dedupeSeconds: _dedupe, ...asked } = requestOf(message.id, request, fields);
    const row = { ...rowOf(asked, message), dryRun: true } as const;
    const decision = await this.acceptance.decide(row, context);
    if (decision.account) this.keyUsage.record(request.key, decision.account.keyRatePerSecond, request.address);
    switch (decision.kind) {
      case 'previewed': {
        const { account, refusal } = decision;
        if (refusal === null) return { kind: 'acceptable', accountId: account.id };
        throw refusalOf(codeOf(refusal, timing), new Date(), undefined, message.price.url);
      }
      case 'replayed':
        return { kind: 'answered', answer: await this.earlier(decision.messageId) };
      case 'deduplicated':
        return { kind: 'answered', answer: await this.deduplicate(decision) };
      case 'refused':
        throw await this.refusalOf(request, decision, message.price.url);
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
    const decision = this.noteUse(request, await this.acceptance.decide(row, context));
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
        return this.earlier(decision.messageId);
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
    const decision = this.noteUse(request, await this.acceptance.decide(row, request.context));
    if (decision.kind === 'replayed') return this.earlier(decision.messageId);
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

  private noteUse({ key, address }: MessageRequest, decision: FinalDecision): FinalDecision {
    if (decision.account) this.keyUsage.record(key, decision.account.keyRatePerSecond, address);
    return decision;
  }

  private async deduplicate(decision: Extract<Decision, { kind: 'deduplicated' }>): Promise<AcceptedMessage> {
    const earlier = await this.earlier(decision.messageId);
    return { ...earlier, balance: decision.balance, replayed: false, deduplicated: true };
  }

  /** The answer of the request that became this message. */
  private async earlier(id: string): Promise<AcceptedMessage> {
    const { accountId, kind, segments, credits, body, reference, sendAt, hedgeSeconds, repliesUnavailable, balance } =
      await this.runAcceptance.accepted(id);
    const files = kind === 'mms' ? (await this.messageFiles.ofMessages(accountId, [id])).get(id) : undefined;
    return {
      accountId,
      messageId: publicMessageId(id),
      segments,
      credits,
      encoding: segmentsOf(body).encoding,
      body,
      reference: reference ?? undefined,
      balance,
      sendAt: sendAt ?? undefined,
      delivery: hedgeSeconds === null ? undefined : deliveryOf(kind, hedgeSeconds),
      files,
      repliesUnavailable,
      test: false,
      replayed: true,
      deduplicated: false,
    };
  }
}

/**
 * Idempotency keys whose first request is still running in this process; across processes the
 * database decides.
 */
export class IdempotencyKeysInFlight {
  private readonly running = new Set<string>();

  /** Whether a request with the same key is running. */
  has(request: IdempotentRequest): boolean {
    const id = idOf(request);
    return id !== undefined && this.running.has(id);
  }

  /** Marks the request as running. Returns the function that ends it. */
  enter(request: IdempotentRequest): () => void {
    const id = idOf(request);
    if (id === undefined) return () => undefined;
    this.running.add(id);
    return () => this.running.delete(id);
  }
}

type IdempotentRequest = Pick<MessageRequest, 'key' | 'idempotencyKey'>;

/** Undefined without an Idempotency-Key, and in test mode, which stores no keys. */
function idOf({ key, idempotencyKey }: IdempotentRequest): string | undefined {
  return idempotencyKey === undefined || key.test ? undefined : `${key.hash.toString('base64')}:${idempotencyKey}`;
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
