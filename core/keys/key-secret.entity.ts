import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/**
 * A secret of an API key, found by its keyed hash. A key has one secret without an end, its current
 * secret; previous secrets work until they end.
 */
@Entity('key_secrets')
export class KeySecretEntity {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid', { name: 'key_id' })
  keyId!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** Last four characters of the secret. */
  @Column('text')
  ending!: string;

  /** Encrypted copy for the dashboard; null for a secret that is shown only once. */
  @Column('bytea', { nullable: true })
  encrypted!: Buffer | null;

  /** Id of the encryption key that made the copy. */
  @Column('text', { name: 'encryption_key_id', nullable: true })
  encryptionKeyId!: string | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** Accurate to the minute. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('text', { name: 'last_used_address', nullable: true })
  lastUsedAddress!: string | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
