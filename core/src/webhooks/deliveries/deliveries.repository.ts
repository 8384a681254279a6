import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { WebhookEventType } from '#contract/webhooks.js';
import { Postgres } from '../../database/postgres.js';

export interface NewDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly type: WebhookEventType;
  readonly sourceId: string;
  readonly body: string;
}

/** Which account a delivery belongs to: what the queue needs to know. */
export interface DeliveryOwner {
  readonly id: string;
  readonly accountId: string;
}

/** The queue has had a waiting delivery long enough: recovery puts it in line again. */
export const LOST_AFTER_SECONDS = 15;

const insert = `
INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, due_at)
SELECT n.id, n.account_id, n.type, n.source_id, n.body, now() + interval '${LOST_AFTER_SECONDS} seconds'
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]) AS n (id, account_id, type, source_id, body)
JOIN webhook_endpoints e ON e.account_id = n.account_id
WHERE e.url IS NOT NULL AND (n.type = 'message.received' OR n.type = ANY (e.events))
ORDER BY n.type, n.source_id
ON CONFLICT (type, source_id) DO NOTHING
RETURNING id`;

const owners = {
  name: 'webhook-owners-1',
  text: `SELECT id, account_id AS "accountId" FROM webhook_deliveries WHERE id = ANY ($1::uuid[]) AND status = 'pending'`,
};

/** Webhooks that have to arrive, and those that did. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Answers the ids of those written: not what nobody wants, nor what is there already. */
  async insert(tx: EntityManager, deliveries: readonly NewDelivery[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }[]>(insert, [
      deliveries.map(({ id }) => id),
      deliveries.map(({ accountId }) => accountId),
      deliveries.map(({ type }) => type),
      deliveries.map(({ sourceId }) => sourceId),
      deliveries.map(({ body }) => body),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Of those that wait to be sent. */
  async owners(ids: readonly string[]): Promise<DeliveryOwner[]> {
    return this.postgres.query<DeliveryOwner>(owners, [ids]);
  }
}
