import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Subject of a request: credits of an account, a new account's first credits, or a redeem code. */
export type CreditRequestKind = 'adjustment' | 'account' | 'code';

/**
 * `applied`: within the operator's own limit. `waiting`: needs a second operator, until
 * `expiresAt`.
 */
export type CreditRequestStatus = 'applied' | 'waiting' | 'approved' | 'rejected';

/** Credits that an operator asked to add or remove. Kept as a record. */
@Entity('credit_requests')
export class CreditRequestEntity {
  /** UUIDv7. The source of the ledger entry of an adjustment, so it is posted at most once. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: CreditRequestKind;

  /** Null for a code. */
  @Column('uuid', { name: 'account_id', nullable: true })
  accountId!: string | null;

  /** Negative to remove; for a code the credits of each use. */
  @Column('integer')
  credits!: number;

  /** Uses of a code; otherwise 1. */
  @Column('integer')
  uses!: number;

  @Column('timestamptz', { name: 'code_expires_at', nullable: true })
  codeExpiresAt!: Date | null;

  @Column('text', { nullable: true })
  why!: string | null;

  @Column('text')
  status!: CreditRequestStatus;

  /** Name of an operator. */
  @Column('text', { name: 'requested_by' })
  requestedBy!: string;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt!: Date;

  /** Set for a request that waits or has waited. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** Name of the operator who approved or rejected the request. */
  @Column('text', { name: 'decided_by', nullable: true })
  decidedBy!: string | null;

  @Column('timestamptz', { name: 'decided_at', nullable: true })
  decidedAt!: Date | null;
}
