import type { ReceiptLevel } from '#contract/messages.js';

/** Reliability of receipts that do not come from the phone. */
export const receiptMeanings: Readonly<Record<ReceiptLevel, string | undefined>> = {
  handset: undefined,
  network: 'Confirmed by the network, not by the phone.',
  none: 'Reported by the carrier; nothing confirms it.',
};
