import { Injectable } from '@nestjs/common';
import { type EndsWaiting, WaitingMessages } from '../../numbers/waiting-messages.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { StatusUpdates } from './status-updates.js';

/** Maximum of messages per transaction, and of transactions per call. */
const STEP_MAX = 200;
const STEPS_MAX = 5;

/**
 * Older scheduled messages are ignored: due messages are queued within seconds, and claims check
 * these.
 */
const WAITED_MAX = "interval '1 day'";

/**
 * Selects messages that wait for their time or for a turn of their number. A released number gives
 * turns without a pause, so that few messages wait for a turn. Parameters: account, number, maximum
 * of messages.
 */
export const waitingOfNumberStatement = {
  name: 'messages-waiting-of-number-1',
  text: `
SELECT id, status FROM messages
WHERE account_id = $1 AND sender = $2 AND status = 'scheduled' AND send_at > now() - ${WAITED_MAX}
UNION ALL
SELECT m.id, m.status FROM number_turns t JOIN messages m ON m.account_id = $1 AND m.id = t.message_id
WHERE t.account_id = $1 AND t.number = $2 AND t.at IS NULL AND m.status = 'queued'
LIMIT $3`,
} as const;

interface Waiting {
  readonly id: string;
  readonly status: 'scheduled' | 'queued';
}

/**
 * Ends and refunds messages that wait for a released number. The claim refuses messages that have
 * their turn.
 */
@Injectable()
export class EndWaiting implements EndsWaiting {
  constructor(
    waitingMessages: WaitingMessages,
    private readonly postgres: Postgres,
    private readonly statusUpdates: StatusUpdates,
    private readonly queue: DispatchQueue,
    private readonly logger: Logger,
  ) {
    waitingMessages.register(this);
  }

  async endWaiting(accountId: string, number: string): Promise<boolean> {
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const values = [accountId, number, STEP_MAX];
      const waiting = await this.postgres.query<Waiting>(waitingOfNumberStatement, values);
      if (waiting.length > 0) await this.end(accountId, waiting);
      if (waiting.length < STEP_MAX) return false;
    }
    return true;
  }

  private async end(accountId: string, waiting: readonly Waiting[]): Promise<void> {
    const refusal = { status: 'failed', carrierId: null, errorCode: 'sender_released', onlyWaiting: true } as const;
    const ended = await Promise.all(waiting.map(({ id }) => this.statusUpdates.apply({ id, ...refusal })));
    waiting.forEach(({ status }, index) => {
      if (ended[index] && status === 'queued') this.queue.started(accountId);
    });
    this.logger.info({ accountId, messages: ended.filter(Boolean).length }, 'messages of a released number ended');
  }
}
