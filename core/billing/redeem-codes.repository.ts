import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RedeemCodeEntity } from './redeem-code.entity.js';
import { RedemptionEntity } from './redemption.entity.js';

type NewRedeemCode = Readonly<Pick<RedeemCodeEntity, 'code' | 'credits' | 'usesMax' | 'expiresAt'>>;

export interface RedeemCodeRow {
  readonly credits: number;
  readonly isExpired: boolean;
  readonly isUsedUp: boolean;
}

/** Redeem codes in their normalized form, and their redemptions. */
@Injectable()
export class RedeemCodesRepository {
  async insert(tx: EntityManager, code: NewRedeemCode): Promise<void> {
    await tx.insert(RedeemCodeEntity, code);
  }

  /**
   * Locks a code until the transaction ends. The schema names the table that all parts of a divided
   * database share, which an entity does not.
   */
  async lock(tx: EntityManager, code: string): Promise<RedeemCodeRow | undefined> {
    const [row] = await tx.query<RedeemCodeRow[]>(
      `SELECT credits, coalesce(expires_at <= now(), false) AS "isExpired", uses >= uses_max AS "isUsedUp"
       FROM public.redeem_codes WHERE code = $1 FOR UPDATE`,
      [code],
    );
    return row;
  }

  async isRedeemedBy(tx: EntityManager, accountId: string, code: string): Promise<boolean> {
    return tx.existsBy(RedemptionEntity, { accountId, code });
  }

  /** Counts one use and returns the redemption's id. The caller holds the code's lock. */
  async redeem(tx: EntityManager, accountId: string, code: string): Promise<string> {
    await tx.query('UPDATE public.redeem_codes SET uses = uses + 1 WHERE code = $1', [code]);
    const redemption = tx.create(RedemptionEntity, { accountId, code });
    await tx.insert(RedemptionEntity, redemption);
    return redemption.id;
  }
}
