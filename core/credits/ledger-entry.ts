import type { LedgerKind } from '#contract/histories.js';

/**
 * Why credits moved. `message`, `otp` and `inbound` spend; `refund` gives spent credits back; `chargeback` takes bought ones
 * away, because their money went back to the buyer; the rest bring new ones.
 */
export type { LedgerKind };

/** A movement to be written: `amount` in credits, negative when spent; (`kind`, `sourceId`) happens once, ever. */
export interface LedgerPosting {
  readonly accountId: string;
  readonly amount: number;
  readonly kind: LedgerKind;
  readonly sourceId: string;
  readonly note?: string;
}
