import type { MessageFile } from './message-files.js';
import type { MessageMedia } from './media.js';

/** A carrier that the sandbox stands in for. */
export const CARRIERS = ['twilio', 'telnyx', 'smsc'] as const;
export type CarrierName = (typeof CARRIERS)[number];

/** The reason why a phone cannot send a file by SMPP, which has no MMS. */
export const TEXTS_ONLY = "This number's carrier (SMPP) carries texts only.";

/**
 * State of a message, which a carrier shows in its own words. Outgoing messages start as `queued`,
 * or as `accepted` with a messaging service; replies are `received`. WhatsApp alone has `read`.
 */
export type MessageStatus =
  | 'accepted'
  | 'queued'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'undelivered'
  | 'failed'
  | 'received';

export interface NewMessage {
  readonly carrier: CarrierName;
  /** The carrier's id. */
  readonly sid: string;
  /** `outbound-reply` is the carrier's answer to a keyword. */
  readonly direction: 'outbound-api' | 'outbound-reply' | 'inbound';
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly segments: number;
  readonly messagingServiceSid: string | null;
  readonly statusCallback: string | null;
  /** Addresses of an outgoing message's files; absent without files. */
  readonly mediaUrls?: readonly string[];
  /** Fault of fetching the files: the product does not have them, or answers after `delayMs`. */
  readonly mediaFault?: { readonly isGone: boolean; readonly delayMs: number };
  /** Seconds within which the message is of use; null or absent without a limit. */
  readonly validityPeriod?: number | null;
  /**
   * Plan of each status callback: `late` after `callbackDelayMs`, `fake` after a callback with
   * another signer's signature.
   */
  readonly callbackPlan: 'once' | 'twice' | 'never' | 'late' | 'fake';
  readonly callbackDelayMs?: number;
  readonly fate: 'delivered' | 'undelivered' | 'failed' | 'received';
  /** Error code of a message whose fate is a failure; without it the carrier's usual code. */
  readonly failureCode?: number;
  /** Template of a WhatsApp message and its values; absent without a template. */
  readonly template?: { readonly sid: string; readonly variables: Readonly<Record<string, string>> };
  /** The message is not delivered because it is taken for spam. */
  readonly isFiltered?: boolean;
  readonly createdAtMs: number;
  readonly status: MessageStatus;
  /** Files that came with a reply; absent without files. */
  readonly media?: readonly MessageMedia[];
}

/** A stored message. Only `MessageStore.change` changes it, so that watchers are notified. */
export interface Message extends NewMessage {
  /** Order of arrival. */
  readonly sequence: number;
  readonly status: MessageStatus;
  readonly updatedAtMs: number;
  readonly sentAtMs: number | null;
  readonly errorCode: number | null;
  /** Fetched files of an outgoing message; absent until they are fetched. */
  readonly files?: readonly MessageFile[];
  /** HTTP status of the product's answer to a reply, 0 without an answer, null until posted. */
  readonly productStatus: number | null;
}

/** The mutable fields. */
export type MessageChange = Partial<
  Pick<Message, 'status' | 'updatedAtMs' | 'sentAtMs' | 'errorCode' | 'files' | 'productStatus'>
>;

/** Prefix of the addresses of WhatsApp chats: `whatsapp:+14155552671`. */
export const WHATSAPP_PREFIX = 'whatsapp:';

/** Channel that a message takes, which its addresses name. */
export function channelOf({ to }: Pick<Message, 'to'>): 'sms' | 'whatsapp' {
  return to.startsWith(WHATSAPP_PREFIX) ? 'whatsapp' : 'sms';
}

/** An address without the prefix of its channel. */
export function numberOf(address: string): string {
  return address.startsWith(WHATSAPP_PREFIX) ? address.slice(WHATSAPP_PREFIX.length) : address;
}

/** The phone's number: recipient of an outgoing message, sender of a reply. */
export function phoneOf(message: Message): string {
  return numberOf(message.direction === 'inbound' ? message.from : message.to);
}

/** The product's number. */
export function senderOf(message: Message): string {
  return numberOf(message.direction === 'inbound' ? message.to : message.from);
}
