/** A receiver has so long to answer, from the start of the call to the last byte: the specification's decision. */
export const CALL_TIMEOUT_MS = 10_000;
