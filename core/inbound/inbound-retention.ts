import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AccountErasure, type FeatureErasure, type RecipientTraces } from '../accounts/account-erasure.js';
import { MediaRetention } from '../media/media-retention.js';
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
import { Every } from '../platform/schedules/every.js';

const PURGED_EVERY_MS = 3_600_000;

const ERASED_BATCH_MAX = 5_000;
const STRANGER_DAYS_KEPT = 2;

const receipts: PurgeRule = {
  table: 'inbound_receipts',
  key: ['carrier_id'],
  expired: 'created_at <= now() - make_interval(days => $1)',
};

const progress = { table: 'inbound_messages', inProgress: `r.status = 'held'`, endedAt: 'r.received_at' } as const;
const texts: ErasureRule = { ...progress, name: 'reply-texts', erase: `body = ''` };
const numbers: ErasureRule = {
  ...progress,
  name: 'reply-numbers',
  erase: `sender = masked_number(sender), body = '', carrier_id = ''`,
};

const threads: PurgeRule = {
  table: 'reply_threads',
  key: ['account_id', 'person'],
  expired: 'last_at <= now() - make_interval(days => $1)',
};
/** Only the current day's row is read. */
const strangerDays: PurgeRule = {
  table: 'stranger_days',
  key: ['account_id', 'number', 'day'],
  expired: 'day < current_date - $1::int',
};
const lifted: PurgeRule = {
  table: 'account_opt_outs',
  key: ['account_id', 'id'],
  expired: 'opted_in_at <= now() - make_interval(days => $1)',
};

/** Parameters: account, number of the last erased reply. */
export const eraseReplies = {
  text: `
WITH erased AS (
  UPDATE inbound_messages SET sender = '', body = '', carrier_id = ''
  WHERE id IN (
    SELECT id FROM inbound_messages WHERE account_id = $1 AND number > $2 ORDER BY number LIMIT ${ERASED_BATCH_MAX}
  )
  RETURNING number
)
SELECT max(number)::float8 AS last FROM erased`,
} as const;

/** Parameters: account, number. */
const filesOfSender = {
  text: `
SELECT id FROM inbound_messages
WHERE account_id = $1 AND sender = $2 AND status <> 'held' AND media_count > 0`,
} as const;

/** Parameters: account, number. Counts the erased replies of a batch. */
const eraseSender = {
  text: `
WITH erased AS (
  UPDATE inbound_messages SET sender = '', body = '', carrier_id = ''
  WHERE status <> 'held' AND id IN (
    SELECT id FROM inbound_messages
    WHERE account_id = $1 AND sender = $2 AND status <> 'held' LIMIT ${ERASED_BATCH_MAX}
  )
  RETURNING 1
)
SELECT count(*)::int AS count FROM erased`,
} as const;

const heldOfSender = {
  text: `SELECT count(*)::int AS count FROM inbound_messages WHERE account_id = $1 AND sender = $2 AND status = 'held'`,
} as const;

/**
 * Deletes expired receipts, and erases the personal data in an erased account's replies. Opt-outs
 * outlive the account, but not its list of them.
 */
@Injectable()
export class InboundRetention implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
    private readonly config: Config,
    private readonly mediaRetention: MediaRetention,
  ) {
    accountErasure.register(this);
  }

  /**
   * Creates the partitions of the coming months, deletes one batch of receipts that are older than
   * any repetition by the carrier, and erases one batch of texts and numbers after their retention
   * time, also in threads and lifted opt-outs. A held reply keeps both until it is released.
   * Returns whether there may be more.
   */
  @Every({ name: 'inbound retention', everyMs: PURGED_EVERY_MS, whileMore: true })
  async run(): Promise<boolean> {
    await ensurePartitions(this.postgres, 'ensure_inbound_partitions');
    const { textDays, numberDays } = this.config.retention;
    const more = await Promise.all([
      purge(this.postgres, receipts, [limits.inboundReceiptsKeptDays]),
      purge(this.postgres, strangerDays, [STRANGER_DAYS_KEPT]),
      textDays !== undefined && eraseExpired(this.postgres, texts, textDays),
      numberDays !== undefined && eraseExpired(this.postgres, numbers, numberDays),
      numberDays !== undefined && purge(this.postgres, threads, [numberDays]),
      numberDays !== undefined && purge(this.postgres, lifted, [numberDays]),
    ]);
    return more.includes(true);
  }

  /** Erases senders, texts and carrier ids; numbers, times and credits stay for the ledger. */
  async erase(accountId: string): Promise<void> {
    let last: number | null = 0;
    while (last !== null) {
      const rows: { last: number | null }[] = await this.postgres.query(eraseReplies, [accountId, last]);
      last = rows[0]?.last ?? null;
    }
    await this.postgres.query({ text: 'DELETE FROM reply_threads WHERE account_id = $1' }, [accountId]);
    await this.postgres.query({ text: 'DELETE FROM account_opt_outs WHERE account_id = $1' }, [accountId]);
  }

  /** Held replies stay until they are released. */
  async eraseRecipient(accountId: string, number: string): Promise<RecipientTraces> {
    await this.eraseFiles(accountId, number);
    const erased = await eraseInBatches(this.postgres, eraseSender, [accountId, number]);
    for (const text of [
      'DELETE FROM reply_threads WHERE account_id = $1 AND person = $2',
      'DELETE FROM account_opt_outs WHERE account_id = $1 AND recipient = $2',
    ])
      await this.postgres.query({ text }, [accountId, number]);
    const [held] = await this.postgres.query<{ count: number }>(heldOfSender, [accountId, number]);
    return { name: 'replies', erased, inProgress: held?.count ?? 0 };
  }

  /** Erases files before the replies, which name the person. */
  private async eraseFiles(accountId: string, number: string): Promise<void> {
    const found = await this.postgres.query<{ id: string }>(filesOfSender, [accountId, number]);
    if (found.length === 0) return;
    await this.mediaRetention.eraseOfMessages(
      accountId,
      found.map(({ id }) => id),
    );
  }
}
