import { Queue } from 'bullmq';
import { v7 as uuidV7 } from 'uuid';
import type { Prepared } from './database.js';

/** Received messages on their way to webhooks: written and put in line as the product does it after the commit. */
export class Webhooks {
  private readonly queue: Queue;

  constructor(private readonly prepared: Prepared) {
    const { redisUrl, queuePrefix } = prepared.place;
    const connection = { url: redisUrl, maxRetriesPerRequest: 1 };
    this.queue = new Queue('webhooks', { connection, prefix: `{${queuePrefix}}` });
  }

  /** Sets every account's webhook URL; answers the accounts, in the order of the URLs. */
  async setUrls(urlOf: (n: number) => string): Promise<string[]> {
    const { client } = this.prepared;
    const { rows } = await client.query<{ id: string }>('SELECT id FROM accounts ORDER BY id');
    const ids = rows.map(({ id }) => id);
    await client.query(
      `INSERT INTO webhook_endpoints (account_id, url) SELECT * FROM unnest($1::uuid[], $2::text[])
       ON CONFLICT (account_id) DO UPDATE SET url = excluded.url`,
      [ids, ids.map((_id, n) => urlOf(n))],
    );
    return ids;
  }

  /** One received message for each account that is named. Answers their message ids. */
  async bring(accountIds: readonly string[]): Promise<string[]> {
    const messages = accountIds.map((accountId, n) => {
      const id = uuidV7();
      const MessageId = `SM${id.replaceAll('-', '')}`;
      const body = JSON.stringify({
        MessageId,
        Sender: '+12025550142',
        Message: 'Yes',
        Status: 'Received',
        DateTime: '',
      });
      return { id, accountId, MessageId, body, priority: n + 1 };
    });
    await this.prepared.client.query(
      `INSERT INTO webhook_deliveries (id, account_id, type, source_id, body, due_at)
       SELECT id, account_id, 'message.received', id::text, body, now() + interval '15 seconds'
       FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS n (id, account_id, body)`,
      [messages.map(({ id }) => id), messages.map(({ accountId }) => accountId), messages.map(({ body }) => body)],
    );
    await this.queue.addBulk(
      messages.map(({ id, accountId, priority }) => ({
        name: 'webhooks',
        data: { deliveryId: id, accountId },
        opts: { jobId: id, priority },
      })),
    );
    return messages.map(({ MessageId }) => MessageId);
  }

  /** How many have arrived, by the product's own books. */
  async delivered(): Promise<number> {
    const { rows } = await this.prepared.client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM webhook_deliveries WHERE status = 'delivered'`,
    );
    return rows[0]?.count ?? 0;
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}
