import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';

interface NewRedeemCode {
  readonly code: string;
  readonly credits: number;
  readonly usesMax: number;
  readonly expiresAt: Date | null;
}

export interface RedeemCodeRow {
  readonly credits: number;
  readonly isExpired: boolean;
  readonly isUsedUp: boolean;
}

const insert = {
  name: 'redeem-code-insert-1',
  text: 'INSERT INTO redeem_codes (code, credits, uses_max, expires_at) VALUES ($1, $2, $3, $4)',
};

/** Redeem codes in their normalized form, and their redemptions. */
@Injectable()
export class RedeemCodesRepository {
  constructor(private readonly postgres: Postgres) {}

  async insert({ code, credits, usesMax, expiresAt }: NewRedeemCode): Promise<void> {
    await this.postgres.query(insert, [code, credits, usesMax, expiresAt]);
  }

  /** Locks a code until the transaction ends. */
  async lock(tx: EntityManager, code: string): Promise<RedeemCodeRow | undefined> {
    const [row] = await tx.query<RedeemCodeRow[]>(
      `SELECT credits, coalesce(expires_at <= now(), false) AS "isExpired", uses >= uses_max AS "isUsedUp"
       FROM public.redeem_codes WHERE code = $1 FOR UPDATE`,
      [code],
    );
    return row;
  }

  async isRedeemedBy(tx: EntityManager, accountId: string, code: string): Promise<boolean> {
    const rows = await tx.query<object[]>('SELECT 1 FROM redemptions WHERE account_id = $1 AND code = $2', [
      accountId,
      code,
    ]);
    return rows.length > 0;
  }

  /** Counts one use and returns the redemption's id. The caller holds the code's lock. */
  async redeem(tx: EntityManager, accountId: string, code: string): Promise<string> {
    await tx.query('UPDATE public.redeem_codes SET uses = uses + 1 WHERE code = $1', [code]);
    const [redemption] = await tx.query<[{ id: string }]>(
      'INSERT INTO redemptions (account_id, code) VALUES ($1, $2) RETURNING id',
      [accountId, code],
    );
    return redemption.id;
  }
}
