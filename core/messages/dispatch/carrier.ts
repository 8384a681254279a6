import type { MessageStatus } from '#contract/messages.js';

/**
 * The code of a carrier that refuses a message because its recipient has opted out of its sender
 * (https://www.twilio.com/docs/api/errors/21610).
 */
export const RECIPIENT_OPTED_OUT = 21_610;

/** A message as it is handed to the carrier. */
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
}

/**
 * Outcome of a send call. `unavailable`: the carrier has not taken the message and may later.
 * `suspended`: it refuses our account, so it takes no message at all. `unknown`: the request left
 * and no conclusive response came, so only the carrier knows.
 */
export type SendOutcome =
  | { readonly kind: 'accepted'; readonly carrierId: string }
  | { readonly kind: 'refused'; readonly carrierError: number | null }
  | { readonly kind: 'unavailable'; readonly cause: unknown; readonly retryAfterMs?: number }
  | { readonly kind: 'suspended'; readonly httpStatus: number; readonly carrierError: number | null }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** A message as the carrier knows it. */
export interface CarrierRecord {
  readonly carrierId: string;
  readonly sender: string | null;
  /** The number that a messaging service chose, once it has. */
  readonly chosenNumber: string | null;
  readonly body: string;
  readonly createdAt: Date;
  readonly status: CarrierStatus;
  readonly carrierError: number | null;
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
  readonly createdAt: Date;
}

/** A carrier's word on a message, in our terms. */
export type CarrierStatus = Extract<MessageStatus, 'sent' | 'delivered' | 'undelivered' | 'failed'>;

/** Port to an SMS provider. */
export abstract class Carrier {
  /**
   * Resolves when the carrier accepts our account's requests. Throws when it does not, or cannot be
   * reached.
   */
  abstract check(): Promise<void>;
  /** Hands a message over. Never throws: every failure is an outcome. */
  abstract send(message: CarrierMessage): Promise<SendOutcome>;
  /**
   * A message by the carrier's id; undefined when the carrier does not know it. Throws when it
   * cannot be asked.
   */
  abstract find(carrierId: string): Promise<CarrierRecord | undefined>;
  /** Messages to a recipient since an instant, oldest first. Throws when it cannot be asked. */
  abstract listTo(recipient: string, since: Date): Promise<CarrierRecord[]>;
  /**
   * The latest messages that people sent to our number since an instant, oldest first. Throws when
   * it cannot be asked.
   */
  abstract listReplies(number: string, since: Date): Promise<CarrierReply[]>;
}
