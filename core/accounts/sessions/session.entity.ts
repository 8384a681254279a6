import { Column, CreateDateColumn, Entity, Generated, PrimaryColumn } from 'typeorm';

/**
 * A browser in which a person is signed in. Written at sign-in and sign-out; requests move
 * `seenAt`.
 */
@Entity('sessions')
export class SessionEntity {
  /** SHA-256 of the token that the cookie holds. */
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  /** Names the session to its account. */
  @Column('uuid')
  @Generated('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** Such as 'Firefox on Windows'. */
  @Column('text')
  device!: string;

  /** Network address. */
  @Column('text')
  address!: string;

  @Column('text')
  method!: 'google' | 'password';

  /** Time at which the person last proved who they are. */
  @Column('timestamptz', { name: 'authenticated_at', default: () => 'now()' })
  authenticatedAt!: Date;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** Accurate to some minutes. */
  @Column('timestamptz', { name: 'seen_at', default: () => 'now()' })
  seenAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
