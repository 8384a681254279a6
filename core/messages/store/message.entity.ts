import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MessageKind, MessageStatus } from '#contract/messages.js';

/**
 * An outgoing message. Written by the statements of acceptance, dispatch and receipts; read through
 * this.
 */
@Entity('messages')
export class MessageEntity {
  /** UUIDv7, so ids are in order of acceptance. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** 1, 2, 3 … within the account. Only for conditions. */
  @Column('bigint', { select: false })
  number!: number;

  @Column('text')
  kind!: MessageKind;

  /** E.164. */
  @Column('text')
  recipient!: string;

  @Column('text')
  sender!: string;

  @Column('text')
  body!: string;

  @Column('smallint')
  segments!: number;

  @Column('integer')
  credits!: number;

  @Column('integer')
  refunded!: number;

  @Column('text', { nullable: true })
  reference!: string | null;

  @Column('text')
  status!: MessageStatus;

  @Column('text', { name: 'carrier_id', nullable: true })
  carrierId!: string | null;

  /** Our own code for the reason of a failure. */
  @Column('text', { name: 'error_code', nullable: true })
  errorCode!: string | null;

  /** The carrier's code, as it gave it. */
  @Column('integer', { name: 'carrier_error', nullable: true })
  carrierError!: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Time when a scheduled message leaves. */
  @Column('timestamptz', { name: 'send_at', nullable: true })
  sendAt!: Date | null;

  /** The message is not handed to the carrier after this time. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** Time of the last claim by a worker. */
  @Column('timestamptz', { name: 'claimed_at', nullable: true })
  claimedAt!: Date | null;

  @Column('timestamptz', { name: 'sent_at', nullable: true })
  sentAt!: Date | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  /** Number of the last claim; 0 before the first claim. */
  @Column('integer', { name: 'attempts' })
  claims!: number;

  /** Delivery that the caller chose: see `deliveryOf`. */
  @Column('smallint', { name: 'hedge_seconds', nullable: true })
  hedgeSeconds!: number | null;

  /** Another account owned the conversation with the recipient when this was accepted. */
  @Column('boolean', { name: 'replies_unavailable' })
  repliesUnavailable!: boolean;
}
