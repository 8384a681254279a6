import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReadyMedia, ReceivedMedia } from '#contract/media.js';
import type { ReceivedMessagePayload } from '#contract/webhooks.js';
import { MediaLinks } from '../media/media-links.js';
import type { Media } from '../media/media.js';
import { type KnownNumber, NumberDirectory } from '../numbers/number-directory.js';
import { publicMediaId, publicMessageId } from '../rules/ids.js';
import { newYorkTimestamp } from '../rules/time.js';
import { MessageCallbacks } from '../webhooks/callbacks/message-callbacks.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';

/** A reply and the known state of its files. */
export interface ReplyOfEvent {
  readonly id: string;
  readonly accountId: string;
  readonly sender: string;
  /** Number to which the reply was written. */
  readonly recipient: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly media: readonly Media[];
}

/** Ids of deliveries for `WebhookEvents.enqueue`: one or undefined for each reply, in order. */
interface RecordedReplies {
  readonly events: readonly (string | undefined)[];
  readonly callbacks: readonly (string | undefined)[];
}

/** Records the webhook events and callbacks of replies, in the caller's transaction. */
@Injectable()
export class ReplyEvents {
  constructor(
    private readonly webhookEvents: WebhookEvents,
    private readonly callbacks: MessageCallbacks,
    private readonly mediaLinks: MediaLinks,
    private readonly directory: NumberDirectory,
  ) {}

  /** Records `message.received`, and the call to the URL that the answered message names. */
  async received(tx: EntityManager, replies: readonly ReplyOfEvent[]): Promise<RecordedReplies> {
    const numbers = await this.directory.all();
    const events = await this.webhookEvents.recordAll(
      tx,
      replies.map((reply) => ({
        accountId: reply.accountId,
        type: 'message.received',
        sourceId: reply.id,
        payload: this.payloadOf(reply, numbers),
      })),
    );
    const called = replies.map((reply) => ({ ...reply, body: this.textWithLinks(reply) }));
    return { events, callbacks: await this.callbacks.recordReplies(tx, called) };
  }

  /**
   * Records `message.media_ready` for a reply that was forwarded before its files were there.
   * Returns the id for `enqueue`.
   */
  async mediaReady(tx: EntityManager, { id, accountId, sender, media }: ReplyOfEvent): Promise<string | undefined> {
    return this.webhookEvents.record(tx, {
      accountId,
      type: 'message.media_ready',
      sourceId: id,
      payload: { message_id: publicMessageId(id), sender, media: media.map((file) => this.readyOf(file)) },
    });
  }

  /** Call after the commit. */
  enqueue(ids: readonly (string | undefined)[]): void {
    this.webhookEvents.enqueue(ids);
  }

  /**
   * Builds the format that the specification fixes; its timestamps are New York time in US notation
   * (section 9). `Recipient` is present only for an account's own number, `Media` only with files.
   */
  private payloadOf(
    { id, accountId, sender, recipient, body, createdAt, media }: ReplyOfEvent,
    numbers: ReadonlyMap<string, KnownNumber>,
  ): ReceivedMessagePayload {
    return {
      MessageId: publicMessageId(id),
      Sender: sender,
      Message: body,
      Status: 'Received',
      DateTime: newYorkTimestamp(createdAt),
      ...(numbers.get(recipient)?.accountId === accountId && { Recipient: recipient }),
      ...(media.length > 0 && { Media: media.map((file) => this.receivedOf(file)) }),
    };
  }

  private receivedOf(file: Media): ReceivedMedia {
    const { id, type, bytes, sha256, state } = file;
    return { Id: publicMediaId(id), Url: this.linkTo(file), Type: type, Bytes: bytes, Sha256: sha256, Status: state };
  }

  private readyOf(file: Media): ReadyMedia {
    const { id, type, bytes, sha256, state: status } = file;
    return { media_id: publicMediaId(id), url: this.linkTo(file), type, bytes, sha256, status };
  }

  /** Adds a line for each file, because a callback has no field for files. */
  private textWithLinks({ body, media }: ReplyOfEvent): string {
    const lines = media.map((file) => this.linkTo(file) ?? `[${file.type ?? 'file'}]`);
    return [...(body === '' && lines.length > 0 ? [] : [body]), ...lines].join('\n');
  }

  private linkTo({ id, state }: Media): string | null {
    return state === 'stored' ? this.mediaLinks.to(id) : null;
  }
}
