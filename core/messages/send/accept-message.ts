import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../accounts/api-keys.js';
import { ApiKeyUsage } from '../../accounts/api-key-usage.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { newMessageId, publicMessageId } from '../../rules/ids.js';
import { normalAddress } from '../../rules/network-addresses.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import { Tracer } from '../../platform/telemetry/tracer.js';
import { Acceptance } from './acceptance.js';
import type { AcceptanceRow } from './acceptance.sql.js';
import { Senders } from '../conversations/senders.js';
import type { Quote } from './quote.js';
import { InFlightKeys } from './in-flight-keys.js';
import { MessagesRepository } from '../messages.repository.js';
import { refusalOf } from './refusals.js';

/** Who asks for a message, whatever its kind. */
export interface MessageRequest {
  readonly key: ApiKey;
  readonly reference: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The caller's network address. */
  readonly address: string;
  readonly origin?: RequestContext | undefined;
}

/** A message as it is to be charged and stored. */
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
  readonly test: boolean;
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}

type Prepare = () => PreparedMessage | DomainError | Promise<PreparedMessage | DomainError>;

/**
 * The way into the service that all outgoing messages share: charges and stores one and puts it in line. The answer is
 * given at the commit. Throws the cases of the error table, in its order, and changes nothing then.
 */
@Injectable()
export class AcceptMessage {
  private readonly inFlight = new InFlightKeys();

  constructor(
    private readonly acceptance: Acceptance,
    private readonly queue: DispatchQueue,
    private readonly senders: Senders,
    private readonly messages: MessagesRepository,
    private readonly keyUsage: ApiKeyUsage,
    private readonly metrics: Metrics,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {}

  /**
   * `fields` are what the caller sent to make this message: with the same Idempotency-Key they must be the same. `prepare`
   * makes it, or says why the rules refuse it; that refusal is thrown when it is the first case that applies.
   */
  async run(request: MessageRequest, fields: readonly unknown[], prepare: Prepare): Promise<AcceptedMessage> {
    try {
      const accepted = await this.once(request, fields, prepare);
      const verdict = accepted.test ? 'tested' : accepted.replayed ? 'replayed' : 'accepted';
      this.metrics.accepts.inc({ verdict });
      return accepted;
    } catch (error) {
      this.metrics.accepts.inc({ verdict: error instanceof DomainError ? error.code : 'internal' });
      throw error;
    }
  }

  private async once(request: MessageRequest, fields: readonly unknown[], prepare: Prepare): Promise<AcceptedMessage> {
    const { key, idempotencyKey } = request;
    if (idempotencyKey === undefined || key.test) return this.accept(request, fields, await prepare());
    const release = this.inFlight.enter(key, idempotencyKey);
    if (!release)
      throw new DomainError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.');
    try {
      return await this.accept(request, fields, await prepare());
    } finally {
      release();
    }
  }

  private async accept(
    request: MessageRequest,
    fields: readonly unknown[],
    prepared: PreparedMessage | DomainError,
  ): Promise<AcceptedMessage> {
    const { key, reference, origin } = request;
    const sender = prepared instanceof DomainError ? null : await this.senderOf(key, prepared.quote);
    const row = this.rowOf(request, fields, prepared, sender);
    const {
      verdict,
      account_id: accountId,
      key_rate_per_second,
      earlier_id,
      cause,
    } = await this.tracer.within('acceptance', { parent: origin?.traceparent }, () => this.acceptance.admit(row));
    if (accountId !== null) {
      this.keyUsage.record(key, key_rate_per_second);
    }

    if (verdict === 'replayed') return this.replay(earlier_id);
    if (verdict === 'refused_by_rules' && prepared instanceof DomainError) throw prepared;
    if (verdict === 'again' || verdict === 'no_credits_record' || verdict === 'refused_by_rules')
      throw new Error(`Acceptance ends with a verdict, not with ${verdict}`);
    if (verdict !== 'accepted' && verdict !== 'tested') throw refusalOf(verdict, cause, new Date());
    if (prepared instanceof DomainError || accountId === null)
      throw new Error('Only a message of an account is accepted');

    const { segments, price: credits } = prepared.quote;
    if (verdict === 'accepted') {
      this.queue.enqueue({ id: row.id, accountId, kind: prepared.kind, origin });
      this.logger.debug({ ...contextFields(origin), messageId: row.id, accountId, credits }, 'message accepted');
    }
    return {
      messageId: publicMessageId(row.id),
      segments,
      credits,
      reference,
      test: verdict === 'tested',
      replayed: false,
    };
  }

  private rowOf(
    { key, reference, idempotencyKey, address }: MessageRequest,
    fields: readonly unknown[],
    prepared: PreparedMessage | DomainError,
    sender: string | null,
  ): AcceptanceRow {
    const ready = prepared instanceof DomainError ? undefined : prepared;
    const quote = ready?.quote;
    return {
      id: ready?.id ?? newMessageId(),
      keyHash: key.hash,
      address: normalAddress(address),
      test: key.test,
      kind: ready?.kind ?? null,
      recipient: quote?.recipient ?? null,
      country: quote?.country ?? null,
      sender,
      body: ready?.body ?? null,
      segments: quote?.segments ?? null,
      price: quote?.price ?? null,
      hasUrl: quote?.hasUrl ?? false,
      reference: reference ?? null,
      idempotencyKey: idempotencyKey ?? null,
      bodyHash: idempotencyKey === undefined ? null : hashOf(fields, reference),
    };
  }

  private senderOf(key: ApiKey, { recipient, country }: Quote): Promise<string> {
    return this.senders.for(key, recipient, country);
  }

  private async replay(earlierId: string | null): Promise<AcceptedMessage> {
    const message = earlierId === null ? null : await this.messages.find(earlierId);
    if (!message) throw new Error('A remembered idempotency key belongs to a message');
    const { id, segments, credits, reference } = message;
    return {
      messageId: publicMessageId(id),
      segments,
      credits,
      reference: reference ?? undefined,
      test: false,
      replayed: true,
    };
  }
}

/** Of the fields that make the message, whatever the body's encoding. */
function hashOf(fields: readonly unknown[], reference: string | undefined): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([...fields, reference ?? null]))
    .digest();
}
