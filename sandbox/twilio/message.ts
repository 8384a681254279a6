/** What a message goes through here: outgoing ones from `queued` (or `accepted`, by messaging service) on, replies are `received`. */
export type MessageStatus = 'accepted' | 'queued' | 'sent' | 'delivered' | 'undelivered' | 'received';

/** How the status callbacks of a message are posted: each once, each twice, or never. */
export type CallbackPlan = 'once' | 'twice' | 'never';

/** What a message is when it is made; the rest follows from what happens to it. */
export interface NewMessage {
  readonly sid: string;
  /** `outbound-reply`: Twilio's own answer to a keyword, or one that the product gave in TwiML. */
  readonly direction: 'outbound-api' | 'outbound-reply' | 'inbound';
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly segments: number;
  readonly messagingServiceSid: string | null;
  readonly statusCallback: string | null;
  readonly callbackPlan: CallbackPlan;
  /** The status in which the carrier leaves it. */
  readonly fate: 'delivered' | 'undelivered' | 'received';
  readonly createdAtMs: number;
  readonly status: MessageStatus;
}

/** One text message as the carrier keeps it. Changed by `MessageStore.change` alone, so that everyone who watches learns of it. */
export interface Message extends NewMessage {
  /** Grows by one with every message; the order of arrival. */
  readonly sequence: number;
  readonly status: MessageStatus;
  readonly updatedAtMs: number;
  readonly sentAtMs: number | null;
  readonly errorCode: number | null;
  /** Of a reply: the HTTP status with which the product took it, 0 if it could not be reached, null while under way. */
  readonly productStatus: number | null;
  /** Grows by one with every change. */
  readonly version: number;
}

/** The parts of a message that change. */
export type MessageChange = Partial<
  Pick<Message, 'status' | 'updatedAtMs' | 'sentAtMs' | 'errorCode' | 'productStatus'>
>;

/** The number of the person: the recipient of what the product sends, the sender of a reply. */
export function phoneOf(message: Message): string {
  return message.direction === 'inbound' ? message.from : message.to;
}

/** The product's number: the other end of `phoneOf`. */
export function senderOf(message: Message): string {
  return message.direction === 'inbound' ? message.to : message.from;
}
