import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../accounts/api-keys.js';
import { ApiKeyUsage } from '../../accounts/api-key-usage.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import { newMessageId, publicMessageId } from '../../rules/ids.js';
import { normalAddress } from '../../rules/network-addresses.js';
import { MessagesRepository } from '../messages.repository.js';
import { DecideMessage, type FinalDecision } from './decide-message.js';
import { refusalOf } from './decision.js';
import type { Quote } from './quote.js';

/** Who sends a message, of any kind. */
export interface MessageRequest {
  readonly key: ApiKey;
  readonly reference: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The caller's network address. */
  readonly address: string;
  readonly context?: RequestContext | undefined;
}

/** A message to be charged and stored. */
export interface PreparedMessage {
  /** UUIDv7. */
  readonly id: string;
  readonly kind: 'sms' | 'otp';
  readonly quote: Quote;
  /** The text, or what is shown in its place. */
  readonly body: string;
}

export interface AcceptedMessage {
  readonly messageId: string;
  readonly segments: number;
  /** The price in credits; charged unless `test`. */
  readonly credits: number;
  readonly reference: string | undefined;
  /** Another account owns the conversation with this recipient, and gets the replies. */
  readonly repliesUnavailable: boolean;
  readonly test: boolean;
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}

/** Charges, stores and enqueues a message of any kind. Throws the cases of the error table, in its order. */
@Injectable()
export class AcceptMessage {
  private readonly inFlight = new IdempotencyKeysInFlight();

  constructor(
    private readonly decideMessage: DecideMessage,
    private readonly queue: DispatchQueue,
    private readonly messages: MessagesRepository,
    private readonly keyUsage: ApiKeyUsage,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /**
   * Accepts a message, or throws why not; a refused one changes nothing. `fields` are what the caller sent to make it: a
   * repeated Idempotency-Key needs the same ones. When the rules refuse the message, `message` is their error, which is
   * thrown unless an earlier case of the error table applies.
   */
  async accept(
    request: MessageRequest,
    fields: readonly unknown[],
    message: PreparedMessage | DomainError,
  ): Promise<AcceptedMessage> {
    let leave: (() => void) | undefined;
    try {
      if (this.inFlight.has(request)) throw refusalOf('idempotency_in_progress', new Date());
      // A refused message is not in flight: it must not block the request that is.
      if (!(message instanceof DomainError)) leave = this.inFlight.enter(request);
      const accepted =
        message instanceof DomainError
          ? await this.refuse(request, fields, message)
          : await this.charge(request, fields, message);
      this.metrics.accepts.inc({ verdict: accepted.test ? 'tested' : accepted.replayed ? 'replayed' : 'accepted' });
      return accepted;
    } catch (error) {
      this.metrics.accepts.inc({ verdict: error instanceof DomainError ? error.code : 'internal' });
      throw error;
    } finally {
      leave?.();
    }
  }

  private async charge(
    request: MessageRequest,
    fields: readonly unknown[],
    message: PreparedMessage,
  ): Promise<AcceptedMessage> {
    const { key, reference, context } = request;
    const { id, kind, quote, body } = message;
    const { recipient, country, segments, price: credits, url } = quote;
    const content = { kind, recipient, country, body, segments, price: credits, hasUrl: url !== undefined };
    const row = { ...requestColumns(request, fields), id, ...content };
    const decision = this.noteUse(key, await this.decideMessage.decide(key, row, context));
    const answer = { messageId: publicMessageId(id), segments, credits, reference, replayed: false };
    switch (decision.kind) {
      case 'accepted': {
        const accountId = decision.account.id;
        this.queue.enqueue({ id, accountId, kind, context });
        this.logger.debug({ ...contextFields(context), messageId: id, accountId, credits }, 'message accepted');
        return { ...answer, repliesUnavailable: decision.repliesUnavailable, test: false };
      }
      case 'approved':
        return { ...answer, repliesUnavailable: false, test: true };
      case 'replayed':
        return this.replay(decision.messageId);
      case 'refused':
        throw refusalOf(decision.code, new Date(), decision.cause, url);
    }
  }

  /** An account's own cases, and a replay, come before the rules' refusal. */
  private async refuse(
    request: MessageRequest,
    fields: readonly unknown[],
    refusal: DomainError,
  ): Promise<AcceptedMessage> {
    const row = {
      ...requestColumns(request, fields),
      id: newMessageId(),
      kind: null,
      recipient: null,
      country: null,
      body: null,
      segments: null,
      price: null,
      hasUrl: false,
    };
    const decision = this.noteUse(request.key, await this.decideMessage.decideRefused(row, request.context));
    if (decision.kind === 'replayed') return this.replay(decision.messageId);
    throw decision.kind === 'refused' ? refusalOf(decision.code, new Date(), decision.cause) : refusal;
  }

  private noteUse(key: ApiKey, decision: FinalDecision): FinalDecision {
    if (decision.account) this.keyUsage.record(key, decision.account.keyRatePerSecond);
    return decision;
  }

  private async replay(id: string): Promise<AcceptedMessage> {
    const { segments, credits, reference, repliesUnavailable } = await this.messages.get(id);
    return {
      messageId: publicMessageId(id),
      segments,
      credits,
      reference: reference ?? undefined,
      repliesUnavailable,
      test: false,
      replayed: true,
    };
  }
}

/** Idempotency keys whose first request is still running in this process; across processes the database decides. */
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

/** Undefined for a request without an Idempotency-Key, and in test mode, which remembers nothing. */
function idOf({ key, idempotencyKey }: IdempotentRequest): string | undefined {
  return idempotencyKey === undefined || key.test ? undefined : `${key.hash.toString('base64')}:${idempotencyKey}`;
}

function requestColumns({ key, reference, idempotencyKey, address }: MessageRequest, fields: readonly unknown[]) {
  return {
    keyHash: key.hash,
    test: key.test,
    address: normalAddress(address),
    reference: reference ?? null,
    idempotencyKey: idempotencyKey ?? null,
    bodyHash: idempotencyKey === undefined ? null : hashOf([...fields, reference ?? null]),
  };
}

/** A hash of the fields, whatever the encoding of the request's body. */
function hashOf(fields: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(fields)).digest();
}
