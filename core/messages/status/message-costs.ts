import { Injectable } from '@nestjs/common';
import { GroupCommit, orEach } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { carrierOf } from '../../carriers/carrier-senders.js';
import { messageDay } from '../store/day-reservations.sql.js';

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;

/** Cost of a message as its carrier reported it. */
interface MessageCost {
  /** The message's id. */
  readonly id: string;
  /** Number of the carrier. */
  readonly carrier: number;
  readonly costMicrousd: bigint;
}

/**
 * Parameters are arrays: message, number of the carrier, cost. The first cost per message and
 * carrier stays. A cost from a carrier that never had the message is ignored. Each message is found
 * by its key: with a plan from when partitions were small, a join reads all of them.
 */
export const storeCostsStatement = {
  name: 'message-costs-3',
  text: `
INSERT INTO message_costs (account_id, message_id, carrier, day, country, cost_microusd)
SELECT m.account_id, m.id, given.carrier, ${messageDay('m')}, m.country, given.cost_microusd
FROM unnest($1::uuid[], $2::smallint[], $3::bigint[]) AS given (id, carrier, cost_microusd)
CROSS JOIN LATERAL (SELECT * FROM messages WHERE messages.id = given.id OFFSET 0) AS m
WHERE ${carrierOf('m')} = given.carrier
  OR EXISTS (SELECT FROM message_attempts a WHERE a.message_id = m.id AND a.carrier = given.carrier OFFSET 0)
ORDER BY m.account_id, m.id, given.carrier
ON CONFLICT (account_id, message_id, carrier) DO NOTHING`,
} as const;

/**
 * Stores costs from receipts that did not change a message's state, such as receipts of an earlier
 * hand-over. Other receipts store the cost with the state. A separate table keeps messages without
 * costs small.
 */
@Injectable()
export class MessageCosts {
  private readonly costs = new GroupCommit<MessageCost, void>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (batch) => orEach(batch, (some) => this.store(some)),
    onFull: () => new Error('Too many costs wait for the database'),
  });

  constructor(private readonly postgres: Postgres) {}

  /**
   * Stores a cost; repeated costs and costs from a carrier that never had the message change
   * nothing.
   */
  record(cost: MessageCost): Promise<void> {
    return this.costs.submit(cost);
  }

  private async store(batch: readonly MessageCost[]): Promise<void[]> {
    await this.postgres.query(storeCostsStatement, [
      batch.map(({ id }) => id),
      batch.map(({ carrier }) => carrier),
      batch.map(({ costMicrousd }) => String(costMicrousd)),
    ]);
    return batch.map(() => undefined);
  }
}
