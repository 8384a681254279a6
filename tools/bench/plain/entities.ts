import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The product's own tables, seen through plain entities: same columns, same indexes, same constraints. */
@Entity('accounts')
export class PlainAccount {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('integer', { name: 'daily_limit' })
  dailyLimit!: number;

  @Column('timestamptz', { name: 'blocked_at', nullable: true })
  blockedAt!: Date | null;
}

@Entity('api_keys')
export class PlainApiKey {
  @PrimaryColumn('bytea', { name: 'key_hash' })
  keyHash!: Buffer;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;
}

@Entity('credit_accounts')
export class PlainCreditAccount {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** A bigint, which pg hands out as text. */
  @Column('bigint')
  balance!: string;

  @Column('bigint')
  used!: string;

  @Column('bigint', { name: 'ledger_count' })
  ledgerCount!: string;

  @Column('bigint', { name: 'sent_count' })
  sentCount!: string;
}

@Entity('ledger_entries')
export class PlainLedgerEntry {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @PrimaryColumn('bigint')
  number!: string;

  @Column('bigint')
  amount!: string;

  @Column('bigint', { name: 'balance_after' })
  balanceAfter!: string;

  @Column('text')
  kind!: string;

  @Column('text', { name: 'source_id' })
  sourceId!: string;
}

@Entity('messages')
export class PlainMessage {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('bigint')
  number!: string;

  @Column('text')
  kind!: string;

  @Column('text')
  recipient!: string;

  @Column('text')
  country!: string;

  @Column('text')
  sender!: string;

  @Column('text')
  body!: string;

  @Column('smallint')
  segments!: number;

  @Column('integer')
  credits!: number;
}
