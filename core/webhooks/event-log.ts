import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { webhookEventTypes, type WebhookEventType } from '#contract/webhooks.js';
import { Postgres } from '../platform/database/postgres.js';
import { newMessageId, publicWebhookId } from '../rules/ids.js';
import { examplePayload } from './webhook-deliveries.js';
import { signatureHeaders } from './delivery/webhook-client.js';
import { EndpointsRepository, secretsOf, type SecretColumns } from './endpoints/endpoints.repository.js';
import { WebhookSecrets } from './endpoints/webhook-secrets.js';
import { SUBSCRIBERS_FRESH_MS, webhookBody } from './webhook-events.js';

/** Time for which an account receives replies after its last stream has ended. */
const RECEIVING_MINUTES = 10;
/**
 * After this time every process knows that an account listens, and earlier statements have ended.
 */
export const READY_AFTER_MS = SUBSCRIBERS_FRESH_MS + 1_000;
/** Maximum of events of one stream per read. */
export const EVENTS_PER_READ = 100;

export interface ListenerRow {
  /** Number of the newest event; 0 before the first event. */
  readonly lastNumber: number;
  /** Events were not stored until now. */
  readonly isNew: boolean;
  /** Events have been stored for a few seconds only: other processes may not know of it yet. */
  readonly isFresh: boolean;
  /** Number of the oldest event that is kept; null without events. */
  readonly firstNumber: number | null;
}

/** Parameters: account, days, seconds that a listener is fresh. */
export const listen = {
  name: 'event-listen-1',
  text: `
WITH listener AS (
  INSERT INTO event_listeners AS l (account_id, listening_until, receiving_until)
  VALUES ($1, now() + make_interval(days => $2), now() + interval '${RECEIVING_MINUTES} minutes')
  ON CONFLICT (account_id) DO UPDATE
  SET listening_since = CASE WHEN l.listening_until > now() THEN l.listening_since ELSE now() END,
    listening_until = excluded.listening_until, receiving_until = excluded.receiving_until
  RETURNING last_number, listening_since
)
SELECT last_number::float8 AS "lastNumber", listening_since = now() AS "isNew",
  listening_since > now() - make_interval(secs => $3) AS "isFresh",
  (SELECT min(number) FROM account_events WHERE account_id = $1)::float8 AS "firstNumber"
FROM listener`,
} as const;

/** Parameters: accounts, days. */
const keepListening = {
  name: 'event-keep-listening-1',
  text: `
UPDATE event_listeners l
SET listening_until = now() + make_interval(days => $2),
  receiving_until = now() + interval '${RECEIVING_MINUTES} minutes'
FROM (SELECT account_id FROM event_listeners WHERE account_id = ANY ($1::uuid[])
  ORDER BY account_id FOR NO KEY UPDATE) open
WHERE l.account_id = open.account_id`,
} as const;

export interface EventRow extends SecretColumns {
  /** Position of the stream among the parameters, from 1. */
  readonly stream: number;
  readonly accountId: string;
  readonly number: number;
  readonly id: string;
  readonly type: WebhookEventType;
  readonly body: string;
}

/** Parameters are arrays: account, number of the last event that the stream has. */
export const readEventsAfter = {
  name: 'event-read-1',
  text: `
SELECT s.stream::int AS stream, s.account_id AS "accountId", e.number::float8 AS number, e.id, e.type, e.body,
  w.secret, w.secret_key_id AS "secretKeyId",
  CASE WHEN w.previous_secret_ends_at > now() THEN w.previous_secret END AS "previousSecret",
  w.previous_secret_key_id AS "previousSecretKeyId"
FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS s (account_id, after, stream)
CROSS JOIN LATERAL (
  SELECT number, id, type, body FROM account_events
  WHERE account_id = s.account_id AND number > s.after ORDER BY number LIMIT ${EVENTS_PER_READ}
) e
LEFT JOIN webhook_endpoints w ON w.account_id = s.account_id
ORDER BY s.stream, e.number`,
} as const;

/** An event as a webhook carries it, with the headers of its signature. */
export interface SignedEvent {
  readonly type: WebhookEventType;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type StoredEvent = SignedEvent & { readonly number: number };

interface EventCursor {
  readonly accountId: string;
  /** Number of the last event that the stream has. */
  readonly number: number;
}

/**
 * Stored events of accounts that listen to them. An account listens from the start of its first
 * stream until it has had no stream for some days; only then are its events stored, in the
 * statement that records them.
 */
@Injectable()
export class EventLog {
  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Starts or continues to store the account's events. */
  async listen(accountId: string): Promise<ListenerRow> {
    const values = [accountId, limits.eventsKeptDays, READY_AFTER_MS / 1_000];
    const [row] = await this.postgres.query<ListenerRow>(listen, values);
    if (!row) throw new Error('An upsert must return its row');
    return row;
  }

  /** Call it every few minutes while streams of the accounts are open. */
  async keepListening(accountIds: readonly string[]): Promise<void> {
    await this.postgres.byAccount(
      accountIds,
      (id) => id,
      async (ids) => {
        await this.postgres.query(keepListening, [ids, limits.eventsKeptDays]);
        return ids;
      },
    );
  }

  /**
   * Returns the next events of each cursor, in order; {@link EVENTS_PER_READ} of them if there may
   * be more.
   */
  async readAfter(cursors: readonly EventCursor[]): Promise<StoredEvent[][]> {
    return this.postgres.byAccount(
      cursors,
      ({ accountId }) => accountId,
      (ofGroup) => this.readGroup(ofGroup),
    );
  }

  private async readGroup(cursors: readonly EventCursor[]): Promise<StoredEvent[][]> {
    const rows = await this.postgres.query<EventRow>(readEventsAfter, [
      cursors.map(({ accountId }) => accountId),
      cursors.map(({ number }) => number),
    ]);
    const at = new Date();
    const secretsOfAccounts = new Map<string, string[]>();
    const events: StoredEvent[][] = cursors.map(() => []);
    for (const { stream, accountId, number, id, type, body, ...columns } of rows) {
      const secrets = secretsOfAccounts.get(accountId) ?? (await this.secrets.of(accountId, secretsOf(columns)));
      secretsOfAccounts.set(accountId, secrets);
      const headers = signatureHeaders({ webhookId: publicWebhookId(id), body, at, secrets });
      events[stream - 1]?.push({ number, type, body, headers });
    }
    return events;
  }

  /** Returns one example of every type of event, signed with the account's secret. */
  async examples(accountId: string): Promise<SignedEvent[]> {
    const at = new Date();
    const encrypted = (await this.endpoints.find(accountId))?.secrets ?? { current: null, previous: null };
    const secrets = await this.secrets.of(accountId, encrypted);
    return webhookEventTypes.map((type) => {
      const body = webhookBody(type, examplePayload(type, at), at);
      return {
        type,
        body,
        headers: signatureHeaders({ webhookId: publicWebhookId(newMessageId()), body, at, secrets }),
      };
    });
  }
}
