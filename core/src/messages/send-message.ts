import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { PresentedKey } from '../accounts/api-keys.js';
import { KeyRates } from '../accounts/key-rates.js';
import { KeyUse } from '../accounts/keys/key-use.js';
import { DomainError } from '../errors/domain-error.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { DispatchQueue } from '../queue/dispatch-queue.js';
import { newMessageId, publicMessageId } from '../rules/message-id.js';
import { normalAddress } from '../rules/network-address.js';
import { Admission } from './admission/admission.js';
import type { AdmissionRow } from './admission/admission.sql.js';
import { Senders } from './conversations/senders.js';
import { draftOf, type Draft } from './draft.js';
import { InFlightKeys } from './in-flight-keys.js';
import { MessagesRepository } from './messages.repository.js';
import { refusalOf } from './refusals.js';

export interface SendMessageInput {
  readonly key: PresentedKey;
  readonly to: string;
  readonly text: string;
  readonly reference: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The caller's network address. */
  readonly address: string;
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

/**
 * Takes one message in: prices it, charges it, stores it and puts it in line; the worker sends it. The answer is given at
 * the commit. Throws the cases of the error table, in its order, and changes nothing then.
 */
@Injectable()
export class SendMessage {
  private readonly inFlight = new InFlightKeys();

  constructor(
    private readonly admission: Admission,
    private readonly queue: DispatchQueue,
    private readonly senders: Senders,
    private readonly messages: MessagesRepository,
    private readonly keyRates: KeyRates,
    private readonly keyUse: KeyUse,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(input: SendMessageInput): Promise<AcceptedMessage> {
    const { key, idempotencyKey } = input;
    if (idempotencyKey === undefined || key.test) return this.send(input);
    const release = this.inFlight.enter(key, idempotencyKey);
    if (!release)
      throw new DomainError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running.');
    try {
      return await this.send(input);
    } finally {
      release();
    }
  }

  private async send(input: SendMessageInput): Promise<AcceptedMessage> {
    const { key, reference } = input;
    const draft = draftOf(input.to, input.text);
    const sender = draft instanceof DomainError ? null : await this.senders.for(key, draft.recipient, draft.country);
    const row = this.rowOf(input, draft, sender);
    const { verdict, account_id: accountId, key_rate_per_second, earlier_id, cause } = await this.admission.admit(row);
    if (accountId !== null) {
      this.keyRates.learn(key, key_rate_per_second);
      this.keyUse.note(key);
    }

    if (verdict === 'replayed') return this.replay(earlier_id);
    if (verdict === 'refused_by_rules' && draft instanceof DomainError) throw draft;
    if (verdict === 'again' || verdict === 'no_credits_record' || verdict === 'refused_by_rules')
      throw new Error(`Admission ends with a verdict, not with ${verdict}`);
    if (verdict !== 'accepted' && verdict !== 'tested') throw refusalOf(verdict, cause, new Date());
    if (draft instanceof DomainError || accountId === null) throw new Error('Only a draft of an account is accepted');

    if (verdict === 'accepted') {
      this.queue.put({ id: row.id, accountId, kind: 'sms' });
      this.logger.debug({ messageId: row.id, accountId, credits: draft.price }, 'message accepted');
    }
    const { segments, price: credits } = draft;
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
    { key, to, text, reference, idempotencyKey, address }: SendMessageInput,
    draft: Draft | DomainError,
    sender: string | null,
  ): AdmissionRow {
    const ready = draft instanceof DomainError ? undefined : draft;
    return {
      id: newMessageId(),
      keyHash: key.hash,
      address: normalAddress(address),
      test: key.test,
      kind: ready ? 'sms' : null,
      recipient: ready?.recipient ?? null,
      country: ready?.country ?? null,
      sender,
      body: ready ? text : null,
      segments: ready?.segments ?? null,
      price: ready?.price ?? null,
      hasUrl: ready?.hasUrl ?? false,
      reference: reference ?? null,
      idempotencyKey: idempotencyKey ?? null,
      bodyHash: idempotencyKey === undefined ? null : hashOf(to, text, reference),
    };
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
function hashOf(to: string, text: string, reference: string | undefined): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([to, text, reference ?? null]))
    .digest();
}
