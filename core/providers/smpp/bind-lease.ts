import { EnvironmentError } from '../../platform/config/env.js';
import { Postgres } from '../../platform/database/postgres.js';

/** Time for which a worker holds a bind without a renewal. */
export const LEASE_MS = 10_000;
/** Time for which a bind may be missing before its carrier is paused. */
const DOWN_AFTER_SECONDS = 30;

const LEASE = `interval '${LEASE_MS} milliseconds'`;

/**
 * Takes or renews the lease of a bind; returns no row while another worker has it. Parameters:
 * carrier, name, holder, whether the peer has accepted the bind.
 *
 * Citus takes `now()` in new values only, so the statement compares the end of the lease, which is
 * as long after now. A new bind is not accepted yet.
 */
export const takeLeaseStatement = {
  name: 'smpp-lease-take-2',
  text: `
INSERT INTO smpp_binds AS b (carrier, name, holder, held_until, unbound_since)
VALUES ($1, $2, $3, now() + ${LEASE}, now())
ON CONFLICT (carrier) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until,
  unbound_since = CASE WHEN NOT $4::boolean THEN coalesce(b.unbound_since, excluded.unbound_since) END
  WHERE b.name = excluded.name AND (
    b.holder = excluded.holder OR b.holder IS NULL OR excluded.held_until - b.held_until >= ${LEASE}
  )
RETURNING coalesce(
  held_until - unbound_since >= ${LEASE} + interval '${DOWN_AFTER_SECONDS} seconds', false
) AS "isDown"`,
  shared: true,
} as const;

/** Gives the lease back. Parameters: carrier, holder. */
export const releaseLeaseStatement = {
  name: 'smpp-lease-release-1',
  text: `UPDATE smpp_binds SET holder = NULL, held_until = now() WHERE carrier = $1 AND holder = $2`,
  shared: true,
} as const;

/** The name that has a bind's number. Parameter: carrier. */
export const leaseNameStatement = {
  name: 'smpp-lease-name-1',
  text: `SELECT name FROM smpp_binds WHERE carrier = $1`,
  shared: true,
} as const;

/** The row by which one worker at a time has a bind. */
export class BindLease {
  constructor(
    private readonly postgres: Postgres,
    private readonly bind: { readonly name: string; readonly number: number },
    /** Name of this worker. */
    private readonly holder: string,
  ) {}

  /** Throws {@link EnvironmentError} when another bind, perhaps a removed bind, has the number. */
  async assertOwnNumber(): Promise<void> {
    const { name, number } = this.bind;
    const [row] = await this.postgres.query<{ name: string }>(leaseNameStatement, [number]);
    if (row === undefined || row.name === name) return;
    throw new EnvironmentError(
      `SMPP_BINDS: the bind ${name} has the same number as ${row.name}, which messages were handed to before: ` +
        'give it another name',
    );
  }

  /**
   * Takes or renews the lease. Returns undefined while another worker has it; otherwise the lease's
   * end by `performance.now()`, and whether the bind has been missing for long in every worker.
   */
  async take(isBound: boolean): Promise<{ readonly endsAtMs: number; readonly isDown: boolean } | undefined> {
    const { name, number } = this.bind;
    const askedAtMs = performance.now();
    const values = [number, name, this.holder, isBound];
    const [row] = await this.postgres.query<{ isDown: boolean }>(takeLeaseStatement, values);
    return row && { endsAtMs: askedAtMs + LEASE_MS, isDown: row.isDown };
  }

  /** Lets another worker take the lease at once. */
  async release(): Promise<void> {
    await this.postgres.query(releaseLeaseStatement, [this.bind.number, this.holder]);
  }
}
