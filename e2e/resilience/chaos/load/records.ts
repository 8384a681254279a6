import type { SendAttempt } from '../../../../tools/testkit/invariants.js';
import type { Account } from './accounts.js';

/** Client's record of a message that it requested. */
export interface SendRecord extends SendAttempt {
  readonly account: Account;
  readonly kind: 'sms' | 'otp';
  readonly to: string;
  /** Cost by the price list. */
  readonly credits: number;
  /** Repeated until answered, with an Idempotency-Key: only other sends end as `unknown`. */
  readonly isKeyed: boolean;
  /** Time at which a scheduled message leaves. */
  readonly sendAtMs?: number | undefined;
  outcome: SendAttempt['outcome'];
  readonly messageIds: Set<string>;
  readonly refusals: string[];
  unsure: number;
}

/** A request to cancel a message, repeated until it was answered; status 0 or 5xx: it never was. */
interface CancelRecord {
  readonly messageId: string;
  readonly status: number;
}

/** A code that reached its phone, and the answers to presenting it several times at once. */
export interface VerifyRecord {
  readonly send: SendRecord;
  readonly answers: string[];
  unsure: number;
}

export interface ReplyRecord {
  readonly account: Account;
  readonly text: string;
  /** The carrier's id. */
  readonly sid: string;
  /** The person's number. */
  readonly from: string;
}

interface PurchaseRecord {
  readonly account: Account;
  readonly sessionId: string;
  readonly credits: number;
}

/** Everything the clients know. They repeat requests without an answer, as real clients do. */
export class Records {
  readonly sends: SendRecord[] = [];
  readonly cancels: CancelRecord[] = [];
  readonly verifies: VerifyRecord[] = [];
  readonly replies: ReplyRecord[] = [];
  readonly purchases: PurchaseRecord[] = [];
}
