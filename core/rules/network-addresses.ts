import ipaddr from 'ipaddr.js';

/** Stands for a client whose proxy named no valid address. */
const UNKNOWN_ADDRESS = '0.0.0.0';
/** RFC 6177: what a provider gives to one customer, who chooses the rest of the address. */
const CUSTOMER_PREFIX = 64;
/** Shorter prefixes would block whole providers by mistake. */
const BLOCK_PREFIX_MIN = { ipv4: 8, ipv6: 16 } as const;

/**
 * Returns the canonical text of a network address (RFC 5952), without a zone: an IPv4 address mapped into IPv6 (RFC 4291,
 * 2.5.5.2) becomes IPv4. Text that is no address, which a proxy may pass on, becomes 0.0.0.0.
 */
export function normalAddress(address: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address;
  const parsed = parsedAddress(address);
  return parsed ? textOf(parsed) : UNKNOWN_ADDRESS;
}

/** Tells whether a text is an IPv4 or IPv6 address. */
export function isNetworkAddress(text: string): boolean {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
}

/** Returns what limits count as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function clientNetwork(address: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address;
  const parsed = parsedAddress(address);
  if (!parsed) return UNKNOWN_ADDRESS;
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, CUSTOMER_PREFIX) : textOf(parsed);
}

/** Parses an address or CIDR range to be blocked; a plain IPv6 address means its /64. Undefined if it is neither, or too wide. */
export function blockedNetworkOf(text: string): string | undefined {
  if (!text.includes('/')) return parsedAddress(text) ? clientNetwork(text) : undefined;
  const range = parsedRange(text);
  return range && range.prefix >= BLOCK_PREFIX_MIN[range.address.kind()]
    ? networkOf(range.address, range.prefix)
    : undefined;
}

/** Parses an address or CIDR range that a key is bound to, in canonical form. Undefined if it is neither. */
export function allowedNetworkOf(text: string): string | undefined {
  const address = parsedAddress(text);
  if (address) return textOf(address);
  const range = parsedRange(text);
  return range && networkOf(range.address, range.prefix);
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Undefined unless the text is a complete address; ipaddr.js itself takes '10.1' and '0x7f.1' too. */
function parsedAddress(text: string): Address | undefined {
  const [address = ''] = text.split('%', 1);
  return isComplete(address) ? ipaddr.process(address) : undefined;
}

/** Undefined unless the text is a range; IPv4 mapped into IPv6 is none. */
function parsedRange(text: string): { address: Address; prefix: number } | undefined {
  const [host = ''] = text.split('/', 1);
  if (!isComplete(host) || !ipaddr.isValidCIDR(text)) return undefined;
  const [address, prefix] = ipaddr.parseCIDR(text);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return isMapped ? undefined : { address, prefix };
}

function isComplete(address: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
}

function textOf(address: Address): string {
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}

/** The range in CIDR notation with the bits of the host cleared; a range of one address as that address. */
function networkOf(address: Address, prefix: number): string {
  const bytes = address
    .toByteArray()
    .map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * index))));
  const network = textOf(ipaddr.fromByteArray(bytes));
  return prefix === 8 * bytes.length ? network : `${network}/${prefix}`;
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
