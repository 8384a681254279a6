import { NETWORK_CODES_END } from '#contract/delivery-errors.js';

/**
 * SQL of `reasonCodeOf` in contract/delivery-errors for the columns of a message; null without an
 * error.
 */
export const reasonCodeSql = `CASE WHEN error_code = 'not_delivered' AND carrier_error < ${NETWORK_CODES_END}
    THEN 'network_' || carrier_error ELSE coalesce(carrier_error::text, error_code) END`;

/** The maximum of the integer columns that store carriers' codes. */
const CODE_MAX = 2_147_483_647;

/**
 * Returns a carrier's code as it is stored: null for none and for a number that no column takes, such
 * as a command status of SMPP above 2^31.
 */
export function storableCode(code: number | null | undefined): number | null {
  return typeof code === 'number' && Number.isInteger(code) && code > 0 && code <= CODE_MAX ? code : null;
}
