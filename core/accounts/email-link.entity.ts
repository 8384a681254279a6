import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A one-time link in an email. Written when the email is queued; deleted when a link of the account
 * is used.
 */
@Entity('email_links')
export class EmailLinkEntity {
  /** SHA-256 of the token that only the email has. */
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  purpose!: 'verify' | 'reset';

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
