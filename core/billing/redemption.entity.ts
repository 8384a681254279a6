import { Column, CreateDateColumn, Entity, Generated, PrimaryColumn } from 'typeorm';

/** A code that an account has redeemed. Written with its ledger entry. */
@Entity('redemptions')
export class RedemptionEntity {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @PrimaryColumn('text')
  code!: string;

  /** Source of the ledger entry, which therefore does not show codes that still work. */
  @Column('uuid')
  @Generated('uuid')
  id!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
