import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Reason of a failed purchase: the carrier's answer, or that it has not sold the number. */
export type OrderFailure = 'taken' | 'refused' | 'not_capable' | 'unavailable' | 'not_sold';

/** A purchase of a number; its id is the number's. Written before the carrier is called. */
@Entity('number_orders')
export class OrderEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  number!: string;

  /** Carrier, as in `messages.carrier`. */
  @Column('smallint')
  carrier!: number;

  @Column('uuid', { name: 'key_id', nullable: true })
  keyId!: string | null;

  @Column('text')
  status!: 'pending' | 'confirmed' | 'failed';

  @Column('text', { nullable: true })
  reason!: OrderFailure | null;

  /** Rent of the first month. */
  @Column('integer')
  credits!: number;

  @Column('integer', { name: 'setup_credits' })
  setupCredits!: number;

  /** Null also after a failure: a repeated request is decided again. */
  @Column('text', { name: 'idempotency_key', nullable: true })
  idempotencyKey!: string | null;

  @Column('bytea', { name: 'body_hash', nullable: true })
  bodyHash!: Buffer | null;

  /** New York day, 'YYYY-MM-DD', on which the budget of its key was charged. */
  @Column('date', { name: 'budget_day', nullable: true })
  budgetDay!: string | null;

  /** Time at which a worker determines the outcome; null once the purchase has ended. */
  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt!: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
