import { GroupCommit } from './group-commit.js';
import { retryUndone } from './retry-undone.js';

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;

interface ClaimBatchesOptions<Row> {
  /** Claims that wait for the database. */
  readonly waitingMax: number;
  /** Takes those of the rows that nobody else has. */
  readonly run: (ids: string[]) => Promise<readonly Row[]>;
}

/** Claims of rows by id, many in one round trip: one winner per row, in this process too. */
export class ClaimBatches<Row extends { readonly id: string }> {
  private readonly group: GroupCommit<string, Row | undefined>;

  constructor(private readonly options: ClaimBatchesOptions<Row>) {
    this.group = new GroupCommit({
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      waitingMax: options.waitingMax,
      run: (ids) => this.claimAll(ids),
      onFull: () => new Error('Too many claims wait for the database'),
    });
  }

  /** Undefined when somebody else has the row, or it is not to be had. */
  claim(id: string): Promise<Row | undefined> {
    return this.group.submit(id);
  }

  private async claimAll(ids: string[]): Promise<(Row | undefined)[]> {
    const rows = await retryUndone(() => this.options.run(ids));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      byId.delete(id);
      return row;
    });
  }
}
