import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/**
 * One API key: found by its keyed hash, shown from its encrypted copy. An account has one without
 * an end: its current one.
 */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('bytea', { name: 'key_hash' })
  keyHash!: Buffer;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('bytea', { name: 'encrypted_key' })
  encryptedKey!: Buffer;

  /** Which encryption key made the copy; null for copies older than these ids. */
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
