import type { MessageStatus } from '#contract/messages.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';

/** A message as it is handed to a carrier. */
export interface CarrierMessage {
  /** Our id; the carrier gives it back in every receipt. */
  readonly id: string;
  /** The carrier gives it back too. */
  readonly accountId: string;
  readonly recipient: string;
  /** A number or a messaging service. */
  readonly sender: string;
  readonly body: string;
  /** The carrier gives up after this time; null for its default. */
  readonly validSeconds?: number | null;
  /** URLs that the carrier fetches the message's files from, in their order. */
  readonly mediaUrls?: readonly string[] | undefined;
}

/**
 * Outcome of a send call. `unavailable`: the carrier has not taken the message and may later.
 * `suspended`: it refuses our account, so it takes no message at all; `httpStatus` is null where
 * the carrier does not speak HTTP. `unknown`: the request left and no conclusive response came, so
 * only the carrier knows.
 */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly carrierId: string }
  | { readonly kind: 'refused'; readonly carrierError: number | null }
  | { readonly kind: 'unavailable'; readonly cause: unknown; readonly retryAfterMs?: number }
  | { readonly kind: 'suspended'; readonly httpStatus: number | null; readonly carrierError: number | null }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** A carrier's word on a message, in our terms. */
export type CarrierStatus = Extract<MessageStatus, 'sent' | 'delivered' | 'undelivered' | 'failed'>;

/** A message as the carrier knows it. */
export interface CarrierRecord {
  readonly carrierId: string;
  /** Ours, where the carrier's records have it: then the record is that message's and no other's. */
  readonly messageId?: string | undefined;
  readonly sender: string | null;
  /** The number that a messaging service chose, once it has. */
  readonly chosenNumber: string | null;
  /** Null in a list that has our ids and no texts. */
  readonly body: string | null;
  /**
   * How many files it has, where the records tell; 0 also while the carrier has not fetched them.
   */
  readonly files?: number | undefined;
  readonly createdAt: Date;
  readonly status: CarrierStatus;
  readonly carrierError: number | null;
  /** What the carrier charges for it, in millionths of a US dollar, where its records have that. */
  readonly costMicrousd?: bigint | undefined;
}

/** A delivery receipt of a carrier, or what it answered when it was asked for one. */
export interface CarrierReceipt {
  /** Number of the carrier that it comes from. */
  readonly carrier: number;
  /** Our public id, which the carrier was given with the message. */
  readonly messageId: string;
  /** The message's account, from the same place; undefined where only the id is known. */
  readonly accountId?: string | undefined;
  readonly carrierId: string;
  readonly status: CarrierStatus;
  readonly carrierError: number | null;
  /** The number that a messaging service chose. */
  readonly sender?: string | undefined;
  /** That messaging service. */
  readonly service?: string | undefined;
  /** The carrier's price of the message; undefined if the receipt does not tell it. */
  readonly costMicrousd?: bigint | undefined;
  readonly context?: RequestContext | undefined;
}

/** A message from a person, as the carrier keeps it. */
export interface CarrierReply {
  readonly carrierId: string;
  /** The person's number: E.164, a short code, or a name. */
  readonly sender: string;
  /** Our number. */
  readonly recipient: string;
  /** The messaging service that our number belongs to. */
  readonly service: string | undefined;
  readonly text: string;
  readonly segments: number;
  /** How many files came with it. */
  readonly files: number;
  readonly createdAt: Date;
}

/** A file that came with a message, where the carrier has it. */
export interface CarrierFile {
  readonly url: string;
  /** What the carrier calls it; undefined if it does not tell. */
  readonly type: string | undefined;
}

/** The messages that a carrier has taken from us, for the look-up after a lost answer. */
export interface CarrierRecords {
  /**
   * After this time a message that the list does not have was not taken; before it, the list may lag.
   */
  readonly completeAfterMs: number;
  /**
   * A message by the carrier's id; undefined when the carrier does not know it. Throws when it
   * cannot be asked.
   */
  find(carrierId: string): Promise<CarrierRecord | undefined>;
  /** Messages to a recipient since an instant, oldest first. Throws when it cannot be asked. */
  listTo(recipient: string, since: Date): Promise<CarrierRecord[]>;
}

/** The messages that people have sent to our numbers, for replies whose callback was lost. */
export interface CarrierInbox {
  /**
   * The latest messages that people sent to our number since an instant, oldest first. Throws when
   * it cannot be asked.
   */
  listReplies(number: string, since: Date): Promise<CarrierReply[]>;
  /** The files of a message. Throws when it cannot be asked. */
  listFiles(carrierId: string): Promise<CarrierFile[]>;
}

/** Files that came with people's messages, which the carrier keeps for us. */
export interface CarrierMedia {
  /**
   * The headers with which one of the carrier's own URLs is fetched; undefined for any other URL,
   * which is not fetched at all.
   */
  headersFor(url: URL): Readonly<Record<string, string>> | undefined;
  /**
   * Deletes the carrier's copy; does nothing if it has none. Undefined where the carrier deletes it
   * by itself. Throws when it cannot be asked.
   */
  readonly deleteFile: ((url: URL) => Promise<void>) | undefined;
}

/**
 * What we have written down about a hand-off: `none`, it certainly has not begun; `doubtful`, the
 * carrier may have the message; `taken`, it has.
 */
export type HandOff = { readonly kind: 'none' | 'doubtful' } | { readonly kind: 'taken'; readonly carrierId: string };

/** Our own notes on hand-offs, where the carrier cannot be asked. */
export interface HandOffs {
  /** That of a message whose claim is over: no submit follows. */
  of(messageId: string): Promise<HandOff>;
}

/** What a carrier can be asked, besides to send; what it cannot be asked is undefined. */
export interface CarrierCapabilities {
  /** Without it a message whose answer was lost waits for its receipt, and is never sent again. */
  readonly records: CarrierRecords | undefined;
  /** Only in place of records. */
  readonly handOffs?: HandOffs | undefined;
  readonly inbox: CarrierInbox | undefined;
  /** Without it, messages from people have no files. */
  readonly media?: CarrierMedia | undefined;
}

/** Port to an SMS provider. */
export abstract class Carrier {
  /** As in the path of its callbacks. */
  abstract readonly name: string;
  /** As in `messages.carrier`; see `carrierNumbers`. */
  abstract readonly number: number;
  abstract readonly capabilities: CarrierCapabilities;
  /** Whether it takes messages with files. One that does not must not be given any. */
  readonly carriesMedia: boolean = false;
  /** Whether one worker at a time is connected to it, which gets its messages by a queue of its own. */
  readonly isExclusive: boolean = false;

  /** Whether this worker can hand messages over: false while it is not connected to an exclusive one. */
  get isHere(): boolean {
    return true;
  }

  /**
   * Resolves when the carrier accepts our account's requests. Throws when it does not, or cannot be
   * reached.
   */
  abstract check(): Promise<void>;
  /** Hands a message over. Never throws: every failure is an outcome. */
  abstract send(message: CarrierMessage): Promise<SendOutcome>;
  /** Closes its connections. */
  abstract close(): Promise<void>;
}
