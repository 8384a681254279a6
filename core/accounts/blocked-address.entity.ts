import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/**
 * A network that may not use the API. Written by the operator; acceptance and authentication read
 * it.
 */
@Entity('blocked_addresses')
export class BlockedAddressEntity {
  /** An IP address or a CIDR range, normalized. */
  @PrimaryColumn('text')
  address!: string;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;
}
