import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/**
 * A secret of an API key: found by its keyed hash. A key has one without an end, its current one;
 * those before it work until they end.
 */
@Entity('key_secrets')
export class KeySecretEntity {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid', { name: 'key_id' })
  keyId!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** Its last four characters. */
  @Column('text')
  ending!: string;

  /** What the dashboard shows; null for a secret that is shown only once. */
  @Column('bytea', { nullable: true })
  encrypted!: Buffer | null;

  /** Which encryption key made the copy. */
  @Column('text', { name: 'encryption_key_id', nullable: true })
  encryptionKeyId!: string | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** To the minute. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  /** Network address of the last use. */
  @Column('text', { name: 'last_used_address', nullable: true })
  lastUsedAddress!: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
