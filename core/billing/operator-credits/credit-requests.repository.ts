import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../../platform/database/postgres.js';
import { CreditRequestEntity } from './credit-request.entity.js';

export type CreditRequest = Readonly<CreditRequestEntity>;
export type NewCreditRequest = Omit<CreditRequest, 'requestedAt' | 'expiresAt' | 'decidedBy' | 'decidedAt'>;

const COUNTED_HOURS = 24;
const LISTED_MAX = 200;

@Injectable()
export class CreditRequestsRepository {
  constructor(private readonly postgres: Postgres) {}

  /**
   * Returns the credits, added and removed, that the operator has moved alone within 24 hours.
   * Holds the operator's lock until the transaction ends, so that commands at the same time count
   * each other.
   */
  async movedAlone(tx: EntityManager, operator: string): Promise<number> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('pennytext credit requests'), hashtext($1))`, [operator]);
    const [row] = await tx.query<{ moved: string }[]>(
      `SELECT coalesce(sum(abs(credits)::numeric * uses), 0)::text AS moved FROM credit_requests
       WHERE requested_by = $1 AND status = 'applied' AND requested_at > now() - make_interval(hours => $2)`,
      [operator, COUNTED_HOURS],
    );
    return Number(row?.moved ?? 0);
  }

  /** Stores a request. A waiting request expires after `waitDays` days. */
  async insert(tx: EntityManager, request: NewCreditRequest, waitDays: number): Promise<CreditRequest> {
    const { id, kind, accountId, credits, uses, codeExpiresAt, why, status, requestedBy } = request;
    await tx.query(
      `INSERT INTO credit_requests
         (id, kind, account_id, credits, uses, code_expires_at, why, status, requested_by, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
         CASE WHEN $8 = 'waiting' THEN now() + make_interval(days => $10) END)`,
      [id, kind, accountId, credits, uses, codeExpiresAt, why, status, requestedBy, waitDays],
    );
    return this.read(tx, id);
  }

  /** Reads a request that exists. */
  async read(tx: EntityManager, id: string): Promise<CreditRequest> {
    return tx.findOneByOrFail(CreditRequestEntity, { id });
  }

  /**
   * Decides on a waiting request. Returns false, and changes nothing, if it no longer waits, or if
   * its own operator approves it.
   */
  async decide(tx: EntityManager, id: string, status: 'approved' | 'rejected', operator: string): Promise<boolean> {
    const [, decided] = await tx.query<[object[], number]>(
      `UPDATE credit_requests SET status = $2, decided_by = $3, decided_at = now()
       WHERE id = $1 AND status = 'waiting' AND expires_at > now() AND ($2 = 'rejected' OR requested_by <> $3)`,
      [id, status, operator],
    );
    return decided === 1;
  }

  async find(id: string): Promise<CreditRequest | null> {
    return this.postgres.call((manager) => manager.findOneBy(CreditRequestEntity, { id }));
  }

  /** Waiting requests, oldest first; at most 200. */
  async waiting(): Promise<CreditRequest[]> {
    return this.postgres.call((manager) =>
      manager
        .createQueryBuilder(CreditRequestEntity, 'r')
        .where(`r.status = 'waiting' AND r.expires_at > now()`)
        .orderBy('r.requested_at')
        .limit(LISTED_MAX)
        .getMany(),
    );
  }
}
