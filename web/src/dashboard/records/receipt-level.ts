import type { ReceiptLevel } from '#contract/messages.js';

/** What a receipt is worth that does not come from the phone. */
export const receiptMeanings: Readonly<Record<ReceiptLevel, string | undefined>> = {
  handset: undefined,
  network: 'Confirmed by the network, not by the phone.',
  none: 'Reported by the carrier; nothing confirms it.',
};
