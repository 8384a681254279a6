import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/**
 * A code for credits. Written by the operator; each redemption counts a use under the code's lock.
 */
@Entity('redeem_codes')
export class RedeemCodeEntity {
  /** Normalized. */
  @PrimaryColumn('text')
  code!: string;

  @Column('integer')
  credits!: number;

  @Column('integer', { name: 'uses_max' })
  usesMax!: number;

  @Column('integer', { default: 0 })
  uses!: number;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
