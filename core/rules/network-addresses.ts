import ipaddr from 'ipaddr.js';

const MAPPED_PREFIX = '::ffff:';

/** Returns the canonical text of a network address: an IPv4 address mapped into IPv6 (RFC 4291, 2.5.5.2) becomes IPv4. */
export function normalAddress(address: string): string {
  const lower = address.toLowerCase();
  return lower.startsWith(MAPPED_PREFIX) && lower.includes('.') ? lower.slice(MAPPED_PREFIX.length) : lower;
}

/**
 * `public`: a machine on the internet. `private`: a machine in the operator's network, or this machine. `forbidden`: an address
 * without legitimate use in a webhook, such as link-local addresses, where clouds serve credentials.
 */
export type AddressReach = 'public' | 'private' | 'forbidden';

const privateRanges: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Metadata services of clouds outside link-local: Azure, Alibaba, AWS, Google. */
const metadataAddresses = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  ipaddr.parse(text).toNormalizedString(),
);

/** RFC 4291, 2.4, and IANA's registry: all global unicast addresses have this prefix; NAT64, site-local and the like do not. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 9637: reserved for documentation. */
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20');

/** Classifies an IPv4 or IPv6 address in any notation; IPv4 mapped into IPv6 (RFC 4291, 2.5.5.2) counts as IPv4. */
export function reachOf(address: string): AddressReach {
  if (!ipaddr.isValid(address)) return 'forbidden';
  const parsed = ipaddr.process(address);
  if (metadataAddresses.includes(parsed.toNormalizedString())) return 'forbidden';
  const range = parsed.range();
  if (privateRanges.includes(range)) return 'private';
  if (range !== 'unicast') return 'forbidden';
  if (parsed instanceof ipaddr.IPv6 && (!parsed.match(globalUnicast) || parsed.match(documentation)))
    return 'forbidden';
  return 'public';
}

/**
 * Parses a URL by the URL standard; returns undefined if the text is not one. Replaces URL.canParse, which in Node 20 rejects
 * every URL with a non-ASCII letter once it has been called often enough to be compiled.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch (error) {
    if (isInvalidUrl(error)) return undefined;
    throw error;
  }
}

/** Checks the code, because Node's own errors may come from another realm, as under Jest. */
function isInvalidUrl(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_INVALID_URL';
}
