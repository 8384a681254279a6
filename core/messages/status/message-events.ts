import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { publicMessageId } from '../../rules/ids.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { WebhookEvents } from '../../webhooks/webhook-events.js';
import type { Advance } from './status-updates.js';

/** What was written, to be woken after the commit. */
export interface Recorded {
  readonly ids: readonly (string | undefined)[];
  readonly origins: readonly (RequestContext | undefined)[];
}

/** Tells accounts that asked for it by their webhooks how their messages fare: `message.sent`, `message.delivered` and so on. */
@Injectable()
export class MessageEvents {
  constructor(private readonly webhooks: WebhookEvents) {}

  /** Whether any account wants to be told. */
  async areWanted(): Promise<boolean> {
    return (await this.webhooks.messageSubscribers()) !== undefined;
  }

  /** With the change of state, in its transaction; `origins` by the messages' ids. */
  async record(
    tx: EntityManager,
    advances: readonly Advance[],
    origins: ReadonlyMap<string, RequestContext | undefined>,
  ): Promise<Recorded> {
    const mayWant = await this.webhooks.messageSubscribers(tx);
    if (!mayWant) return { ids: [], origins: [] };
    const wanted = advances.filter(({ accountId }) => mayWant(accountId));
    const ids = await this.webhooks.recordAll(
      tx,
      wanted.map((advance) => ({
        accountId: advance.accountId,
        type: `message.${advance.status}` as const,
        sourceId: advance.id,
        payload: payloadOf(advance),
      })),
    );
    return { ids, origins: wanted.map(({ id }) => origins.get(id)) };
  }

  wake({ ids, origins }: Recorded): void {
    this.webhooks.enqueue(ids, origins);
  }
}

/** The fields of GET /api/messages/{message_id} that tell how it fares. The text is not among them: it may hold a code. */
function payloadOf(advance: Advance): object {
  const { id, recipient, status, segments, credits, refunded, reference, errorCode, carrierError } = advance;
  return {
    message_id: publicMessageId(id),
    to: recipient,
    status,
    segments,
    credits,
    refunded,
    reference,
    error_code: errorCode,
    carrier_error: carrierError,
  };
}
