import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** One API key: found by its keyed hash, shown from its encrypted copy. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('bytea', { name: 'key_hash' })
  keyHash!: Buffer;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('bytea', { name: 'encrypted_key' })
  encryptedKey!: Buffer;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
