import { carrierOf } from '../../carriers/carrier-senders.js';

/**
 * SQL: proof by the receipts of a message's route; receipts of a country without routes prove
 * arrival.
 */
export const receiptLevelOf = (message: string) => `coalesce((
    SELECT receipt_level FROM routes r WHERE r.country = ${message}.country AND r.carrier = ${carrierOf(message)}
  ), 'handset')`;

/** Parameter: id. */
export const receiptLevelStatement = {
  name: 'receipt-level-1',
  text: `SELECT ${receiptLevelOf('m')} AS level FROM messages m WHERE id = $1`,
} as const;
