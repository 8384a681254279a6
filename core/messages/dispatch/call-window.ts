/**
 * How long after a claim was asked for its call to the carrier may still start, in milliseconds. A call that is given up may
 * reach the carrier's books later: as long as it may take is left between its end and the end of the lease, when recovery
 * asks the carrier and sends again what it does not know.
 */
export function callWindowMs(leaseSeconds: number, timeoutMs: number): number {
  return leaseSeconds * 1_000 - 2 * timeoutMs;
}
