import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AccountErasure, type FeatureErasure, type RecipientTraces } from '../accounts/account-erasure.js';
import { ownedSince } from './senders/conversation-owners.repository.js';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import {
  ensurePartitions,
  eraseExpired,
  eraseInBatches,
  purge,
  type ErasureRule,
  type PurgeRule,
} from '../platform/durable-work/retention.js';
import { MediaRetention } from '../media/media-retention.js';
import { DispatchPauses } from './dispatch/dispatch-pauses.js';
import { MessageFilesRepository } from './files/message-files.repository.js';
import { isInProgress } from './store/checks.sql.js';
import { CarrierMatches } from './status/carrier-matches.js';
import { storedRecipientsOf } from '../rules/otp-channels.js';
import { AccountRetention } from '../accounts/account-retention.js';
import { Every } from '../platform/schedules/every.js';

const PURGED_EVERY_MS = 3_600_000;

/** Rows per statement, so that a long history holds no long lock. */
const ERASED_MAX = 5_000;

const idempotencyKeys: PurgeRule = {
  table: 'idempotency_keys',
  key: ['account_id', 'key'],
  expired: 'created_at <= now() - make_interval(hours => $1)',
};

const progress = { table: 'messages', inProgress: isInProgress('r'), endedAt: 'r.finished_at' } as const;
const texts: ErasureRule = { ...progress, name: 'message-texts', erase: `body = ''` };
const numbers: ErasureRule = {
  ...progress,
  name: 'message-numbers',
  erase: `recipient = masked_number(recipient), body = '', reference = NULL, carrier_id = NULL`,
};
/** The table of an earlier release. */
const conversations: PurgeRule = {
  table: 'conversations',
  key: ['account_id', 'recipient'],
  expired: 'last_at <= now() - make_interval(days => $1)',
};
/** After this time without a message a person may get another sender. */
const SENDERS_KNOWN_DAYS = 400;
/**
 * Keeps the sender by which a recipient knows an account, and for some time the conversation's
 * owner.
 */
const conversationOwners: PurgeRule = {
  table: 'conversation_owners',
  key: ['recipient', 'sender'],
  expired: `last_at <= least(now() - make_interval(days => $1), ${ownedSince('$2')})`,
};

const attempts: PurgeRule = {
  table: 'message_attempts',
  key: ['message_id', 'n'],
  expired: 'created_at <= now() - make_interval(days => $1)',
};

const ROUTE_CHANGES_KEPT_DAYS = 400;
const routeChanges: PurgeRule = {
  table: 'route_changes',
  key: ['id'],
  expired: 'at <= now() - make_interval(days => $1)',
};

const routeCodeDays: PurgeRule = {
  table: 'route_code_days',
  key: ['country', 'carrier', 'day'],
  expired: `day < (now() AT TIME ZONE 'UTC')::date - $1::int`,
};

/** Removes the rejections of bulks, which repeated answers needed. Parameter: hours. */
const forgetRejectedStatement = {
  text: `UPDATE batches SET rejected = NULL WHERE rejected IS NOT NULL
    AND created_at <= now() - make_interval(hours => $1)`,
} as const;

const underWayStatement = {
  text: `SELECT count(*)::int AS messages FROM messages m WHERE account_id = $1 AND ${isInProgress('m')}`,
} as const;

const eraseStatement = {
  text: `
WITH erased AS (
  UPDATE messages SET recipient = '', body = '', reference = NULL, carrier_id = NULL
  WHERE id IN (SELECT id FROM messages WHERE account_id = $1 AND number > $2 ORDER BY number LIMIT ${ERASED_MAX})
  RETURNING id, number
), unsealed AS (
  DELETE FROM sealed_texts WHERE message_id IN (SELECT id FROM erased)
), forgotten AS (
  DELETE FROM message_attempts WHERE message_id IN (SELECT id FROM erased)
), unfiled AS (
  DELETE FROM message_media WHERE message_id IN (SELECT id FROM erased)
)
SELECT max(number)::float8 AS last FROM erased`,
} as const;

/** Parameters: account, stored recipients. Counts the erased messages of a batch. */
const eraseRecipientStatement = {
  text: `
WITH found AS MATERIALIZED (
  SELECT id FROM messages m
  WHERE recipient = ANY ($2::text[]) AND account_id = $1 AND NOT ${isInProgress('m')} LIMIT ${ERASED_MAX}
), erased AS (
  UPDATE messages m SET recipient = '', body = '', reference = NULL, carrier_id = NULL
  WHERE id IN (SELECT id FROM found) AND NOT ${isInProgress('m')} RETURNING id
), unsealed AS (
  DELETE FROM sealed_texts WHERE message_id IN (SELECT id FROM erased)
), forgotten AS (
  DELETE FROM message_attempts WHERE message_id IN (SELECT id FROM erased)
), unfiled AS (
  DELETE FROM message_media WHERE message_id IN (SELECT id FROM erased)
)
SELECT count(*)::int AS count FROM erased`,
} as const;

const recipientInProgress = {
  text: `SELECT count(*)::int AS count FROM messages m WHERE recipient = ANY ($2::text[])
    AND account_id = $1 AND ${isInProgress('m')}`,
} as const;

/**
 * Creates the coming months' partitions, deletes expired idempotency keys, rejected items of bulks,
 * conversation owners, sessions and API keys, and erases texts and numbers after their retention
 * time. A message in progress keeps both until it has ended.
 */
@Injectable()
export class MessageRetention {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountRetention,
    private readonly matches: CarrierMatches,
    private readonly config: Config,
    private readonly pauses: DispatchPauses,
  ) {}

  /** Deletes one batch; returns whether there may be more. */
  @Every({ name: 'retention', everyMs: PURGED_EVERY_MS, whileMore: true })
  async run(): Promise<boolean> {
    await ensurePartitions(this.postgres, 'ensure_message_partitions');
    await this.accounts.run();
    const { textDays, numberDays } = this.config.retention;
    const more = await Promise.all([
      purge(this.postgres, idempotencyKeys, [limits.idempotencyHours]),
      this.postgres.query(forgetRejectedStatement, [limits.idempotencyHours]).then(() => false),
      this.matches.purge(),
      textDays !== undefined && eraseExpired(this.postgres, texts, textDays),
      numberDays !== undefined && eraseExpired(this.postgres, numbers, numberDays),
      numberDays !== undefined && purge(this.postgres, conversations, [numberDays]),
      purge(this.postgres, conversationOwners, [
        Math.min(numberDays ?? SENDERS_KNOWN_DAYS, SENDERS_KNOWN_DAYS),
        this.config.conversationHours,
      ]),
      numberDays !== undefined && purge(this.postgres, attempts, [numberDays]),
      this.pauses.purge(),
      purge(this.postgres, routeChanges, [ROUTE_CHANGES_KEPT_DAYS]),
      purge(this.postgres, routeCodeDays, [ROUTE_CHANGES_KEPT_DAYS]),
    ]);
    return more.includes(true);
  }
}

/**
 * Erases personal data from an account's sent messages: numbers, texts, references and the
 * carrier's ids.
 */
@Injectable()
export class MessageErasure implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
    private readonly files: MessageFilesRepository,
    private readonly mediaRetention: MediaRetention,
  ) {
    accountErasure.register(this);
  }

  async inProgress(accountId: string): Promise<string | undefined> {
    const [row] = await this.postgres.query<{ messages: number }>(underWayStatement, [accountId]);
    if (!row?.messages) return undefined;
    return row.messages === 1 ? '1 message' : `${row.messages} messages`;
  }

  async erase(accountId: string): Promise<void> {
    let last: number | null = 0;
    while (last !== null) {
      const rows: { last: number | null }[] = await this.postgres.query(eraseStatement, [accountId, last]);
      last = rows[0]?.last ?? null;
    }
    await this.postgres.query({ text: 'DELETE FROM conversations WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM conversation_owners WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM verified_numbers WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM idempotency_keys WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'UPDATE batches SET rejected = NULL WHERE account_id = $1' }, [accountId]);
  }

  async eraseRecipient(accountId: string, number: string): Promise<RecipientTraces> {
    // Files go first, since the messages name the person.
    await this.mediaRetention.eraseFiles(accountId, await this.files.ofRecipientAlone(accountId, number));
    const recipients = storedRecipientsOf(number);
    const erased = await eraseInBatches(this.postgres, eraseRecipientStatement, [accountId, recipients]);
    for (const table of ['conversations', 'conversation_owners', 'verified_numbers']) {
      const text = `DELETE FROM ${table} WHERE account_id = $1 AND recipient = ANY ($2::text[])`;
      await this.postgres.query({ text }, [accountId, recipients]);
    }
    const [left] = await this.postgres.query<{ count: number }>(recipientInProgress, [accountId, recipients]);
    return { name: 'messages', erased, inProgress: left?.count ?? 0 };
  }
}
