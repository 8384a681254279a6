import type { OnApplicationShutdown } from '@nestjs/common';
import type { MessageErrorCode } from '#contract/delivery-errors.js';
import type { MessageStatus } from '#contract/messages.js';
import type { Config } from '../platform/config/config.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';

/** A message as it is handed to a carrier. */
export interface CarrierMessage {
  /** Our id, which the carrier returns in every receipt. */
  readonly id: string;
  /** The carrier also returns this id. */
  readonly accountId: string;
  readonly recipient: string;
  /** A number or a messaging service. */
  readonly sender: string;
  readonly body: string;
  /** The carrier gives up after this time; null for its default. */
  readonly validSeconds?: number | null;
  /** URLs from which the carrier fetches the message's files, in their order. */
  readonly mediaUrls?: readonly string[] | undefined;
}

/**
 * Outcome of a send call. `unavailable`: the carrier has not taken the message and may later.
 * `suspended`: it refuses our account, so it takes no message at all; `httpStatus` is null if the
 * carrier does not use HTTP. `unknown`: the request left without a conclusive response, so only the
 * carrier knows.
 */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly carrierId: string }
  | { readonly kind: 'refused'; readonly carrierError: number | null }
  | { readonly kind: 'unavailable'; readonly cause: unknown; readonly retryAfterMs?: number }
  | { readonly kind: 'suspended'; readonly httpStatus: number | null; readonly carrierError: number | null }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** Status of a message by its carrier, in our terms. */
export type CarrierStatus = Extract<MessageStatus, 'sent' | 'delivered' | 'undelivered' | 'failed'>;

/** A message as the carrier knows it. */
export interface CarrierRecord {
  readonly carrierId: string;
  /** Our id, if the carrier's records have it: the record then belongs only to that message. */
  readonly messageId?: string | undefined;
  readonly sender: string | null;
  /** The number that a messaging service chose; null before its choice. */
  readonly chosenNumber: string | null;
  /** Null in a list that has our ids and no texts. */
  readonly body: string | null;
  /** True for a record of a call, which has no text: its sender and its time decide whose it is. */
  readonly isTextless?: boolean;
  /** Number of files, if the records have it; also 0 until the carrier has fetched the files. */
  readonly files?: number | undefined;
  readonly createdAt: Date;
  readonly status: CarrierStatus;
  readonly carrierError: number | null;
  /** Price that the carrier charges, in millionths of a US dollar, if its records have it. */
  readonly costMicrousd?: bigint | undefined;
}

/** A delivery receipt of a carrier, or its answer to a query for a receipt. */
export interface CarrierReceipt {
  /** Number of the reporting carrier. */
  readonly carrier: number;
  /** Our public id, which the carrier was given with the message. */
  readonly messageId: string;
  /** The message's account, from the same source; undefined if only the id is known. */
  readonly accountId?: string | undefined;
  readonly carrierId: string;
  readonly status: CarrierStatus;
  readonly carrierError: number | null;
  /** Reason of a failure in our terms, for a carrier without codes. */
  readonly errorCode?: MessageErrorCode | undefined;
  /** The number that a messaging service chose. */
  readonly sender?: string | undefined;
  /** The messaging service that chose the number. */
  readonly service?: string | undefined;
  /** The carrier's price of the message; undefined if the receipt has none. */
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
  /** The messaging service of our number. */
  readonly service: string | undefined;
  readonly text: string;
  readonly segments: number;
  /** Number of its files. */
  readonly files: number;
  readonly createdAt: Date;
}

/** A file of a message, as the carrier stores it. */
export interface CarrierFile {
  readonly url: string;
  /** Type as the carrier reports it; undefined if it reports none. */
  readonly type: string | undefined;
}

/** The messages that a carrier has taken from us, for the look-up after a lost answer. */
export interface CarrierRecords {
  /**
   * The carrier has not taken a message that is missing from the list after this time; before, the
   * list may lag.
   */
  readonly completeAfterMs: number;
  /**
   * Finds a message by the carrier's id; undefined when the carrier does not know it. Throws when
   * the carrier cannot be asked.
   */
  find(carrierId: string): Promise<CarrierRecord | undefined>;
  /** Lists messages to a recipient since an instant, oldest first. Throws as `find`. */
  listTo(recipient: string, since: Date): Promise<CarrierRecord[]>;
}

/** The messages that people have sent to our numbers, for replies whose callback was lost. */
export interface CarrierInbox {
  /**
   * Lists the latest messages that people sent to our number since an instant, oldest first. Throws
   * when the carrier cannot be asked.
   */
  listReplies(number: string, since: Date): Promise<CarrierReply[]>;
  /** Lists the files of a message. Throws as `listReplies`. */
  listFiles(carrierId: string): Promise<CarrierFile[]>;
}

/** Files that came with people's messages, which the carrier keeps for us. */
export interface CarrierMedia {
  /**
   * Returns the headers for fetching a URL of the carrier; undefined for any other URL, which is
   * not fetched at all.
   */
  headersFor(url: URL): Readonly<Record<string, string>> | undefined;
  /**
   * Deletes the carrier's copy, if it exists. Undefined if the carrier deletes copies by itself.
   * Throws when the carrier cannot be asked.
   */
  readonly deleteFile: ((url: URL) => Promise<void>) | undefined;
}

/**
 * Our record of a hand-over: `none`, it certainly has not begun; `doubtful`, the carrier may have
 * the message; `taken`, the carrier has it.
 */
export type HandOverNote =
  | { readonly kind: 'none' | 'doubtful' }
  | { readonly kind: 'taken'; readonly carrierId: string };

/** Our own notes on hand-overs to a carrier that cannot be asked. */
export interface HandOverNotes {
  /** Returns the hand-over of a message whose claim is over: no submit follows. */
  of(messageId: string): Promise<HandOverNote>;
}

/** Capabilities of a carrier besides sending; a missing capability is undefined. */
export interface CarrierCapabilities {
  /**
   * Without records a message whose answer was lost waits for its receipt and is never sent again.
   */
  readonly records: CarrierRecords | undefined;
  /** Set only in place of records. */
  readonly handOverNotes?: HandOverNotes | undefined;
  readonly inbox: CarrierInbox | undefined;
  /** Without this capability messages from people have no files. */
  readonly media?: CarrierMedia | undefined;
}

/** Port to a provider that carries messages: text messages, or one-time passwords by another channel. */
export abstract class Carrier {
  /** Name in the path of the carrier's callbacks. */
  abstract readonly name: string;
  /** Number in `messages.carrier`; see `carrierNumbers`. */
  abstract readonly number: number;
  abstract readonly capabilities: CarrierCapabilities;
  /** Whether the carrier takes messages with files; otherwise it must not get any. */
  readonly carriesMedia: boolean = false;
  /**
   * Whether one worker at a time is connected to the carrier and gets its messages by a separate
   * queue.
   */
  readonly isExclusive: boolean = false;

  /**
   * Whether this worker can hand messages over: false while not connected to an exclusive carrier.
   */
  get isHere(): boolean {
    return true;
  }

  /** Resolves when the carrier accepts our account's requests. Throws otherwise. */
  abstract check(): Promise<void>;
  /** Hands a message over. Never throws: every failure is an outcome. */
  abstract send(message: CarrierMessage): Promise<SendOutcome>;
  /** Closes the connections to the carrier. */
  abstract close(): Promise<void>;
}

/** Builds the configured carriers, in the order of `Config.carriers`. */
export type BuildCarriers = (config: Config) => readonly Carrier[] | Promise<readonly Carrier[]>;

/** The configured carriers. */
export class Carriers implements OnApplicationShutdown {
  constructor(readonly all: readonly Carrier[]) {}

  /** Returns the carrier that a claim has chosen. Throws when it is not configured. */
  of(number: number): Carrier {
    const carrier = this.find(number);
    if (!carrier) throw new Error(`Carrier ${number} is not configured`);
    return carrier;
  }

  /**
   * Returns undefined for a carrier that is no longer configured, although its messages may be in
   * flight.
   */
  find(number: number): Carrier | undefined {
    return this.all.find((carrier) => carrier.number === number);
  }

  /**
   * Returns the numbers of the carriers whose messages a job leaves to another queue: all exclusive
   * carriers for a job of the shared queue, and exclusive carriers without a connection here for a
   * job of a carrier's own queue.
   */
  elsewhere(isOwnQueue: boolean): number[] {
    return this.all
      .filter(({ isExclusive, isHere }) => isExclusive && !(isOwnQueue && isHere))
      .map(({ number }) => number);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all.map((carrier) => carrier.close()));
  }
}
