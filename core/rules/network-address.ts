const MAPPED_PREFIX = '::ffff:';

/** One text per network address: an IPv4 address mapped into IPv6 (RFC 4291, 2.5.5.2) is that IPv4 address. */
export function normalAddress(address: string): string {
  const lower = address.toLowerCase();
  return lower.startsWith(MAPPED_PREFIX) && lower.includes('.') ? lower.slice(MAPPED_PREFIX.length) : lower;
}
