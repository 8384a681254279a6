/** The network's error in the receipt of a message that is not delivered. */
export const UNDELIVERED_CODE = 1;
export const UNDELIVERED_TEXT = 'Absent subscriber';
