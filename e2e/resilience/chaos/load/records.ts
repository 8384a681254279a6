import type { SendAttempt } from '../../../../tools/testkit/invariants.js';
import type { Account } from './accounts.js';

/** What the client knows of one message it asked for. */
export interface SendRecord extends SendAttempt {
  readonly account: Account;
  readonly kind: 'sms' | 'otp';
  readonly to: string;
  /** What it costs by the price list. */
  readonly credits: number;
  /** Sent with an Idempotency-Key, so repeated until answered: only others end as `unknown`. */
  readonly isKeyed: boolean;
  outcome: SendAttempt['outcome'];
  readonly messageIds: Set<string>;
  readonly refusals: string[];
  unsure: number;
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
}

export interface PurchaseRecord {
  readonly account: Account;
  readonly sessionId: string;
  readonly credits: number;
}

/** Everything the clients know. What they do not know they learn by repeating, as real ones do. */
export class Records {
  readonly sends: SendRecord[] = [];
  readonly verifies: VerifyRecord[] = [];
  readonly replies: ReplyRecord[] = [];
  readonly purchases: PurchaseRecord[] = [];
}
