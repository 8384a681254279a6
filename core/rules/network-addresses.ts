import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { limits } from '#contract/limits.js';

/** RFC 6177: prefix that a provider gives to one customer, who chooses the rest of the address. */
const CUSTOMER_PREFIX = 64;
/** Shorter prefixes would block whole providers by mistake. */
const BLOCK_PREFIX_MIN = { ipv4: 8, ipv6: 16 } as const;

/**
 * Returns the canonical text of a network address (RFC 5952), without zone, port and brackets,
 * which some proxies add: an IPv4 address mapped into IPv6 (RFC 4291, 2.5.5.2) becomes IPv4. Other
 * text, which a proxy may pass on (RFC 7239, 6.3), becomes a unique identifier.
 */
export function normalAddress(address: string): string {
  return ipaddr.IPv4.isValidFourPartDecimal(address) ? address : textOf(clientAddress(address));
}

/** Tells whether a text is an IPv4 or IPv6 address. */
export function isNetworkAddress(text: string): boolean {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
}

/**
 * Returns the network that limits count as one client: an IPv4 address, or the /64 of an IPv6
 * address.
 */
export function clientNetwork(address: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return address;
  const parsed = clientAddress(address);
  return parsed instanceof ipaddr.IPv6 ? networkOf(parsed, CUSTOMER_PREFIX) : textOf(parsed);
}

/**
 * Returns a function that tells whether an address, with or without a port, is in the given
 * networks: addresses and CIDR ranges.
 */
export function isWithin(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((network) => {
    const [host = '', bits] = network.split('/', 2);
    const address = ipaddr.process(host);
    const mappedBits = address.kind() === ipaddr.parse(host).kind() ? 0 : 96;
    return { address, prefix: bits === undefined ? 128 : Number(bits) - mappedBits };
  });
  return (text) => {
    const client = clientAddress(text);
    return ranges.some(({ address, prefix }) => address.kind() === client.kind() && client.match(address, prefix));
  };
}

/**
 * Parses an address or CIDR range to be blocked; a plain IPv6 address means its /64. Undefined if
 * the text is neither, or too wide a range.
 */
export function blockedNetworkOf(text: string): string | undefined {
  if (!text.includes('/')) return parsedAddress(text) ? clientNetwork(text) : undefined;
  const range = parsedRange(text);
  return range && range.prefix >= BLOCK_PREFIX_MIN[range.address.kind()]
    ? networkOf(range.address, range.prefix)
    : undefined;
}

/**
 * Returns an address or CIDR range for a key in canonical form. Undefined if the text is neither.
 */
export function allowedNetworkOf(text: string): string | undefined {
  const address = parsedAddress(text);
  if (address) return textOf(address);
  const range = parsedRange(text);
  return range && networkOf(range.address, range.prefix);
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * `203.0.113.7:5678`, `[2001:db8::1]` and `[2001:db8::1]:443`; IPv6 without brackets has no port.
 */
const ADDRESS_WITH_PORT = /^(?:\[([^[\]]+)\]|(\d+(?:\.\d+){3}))(?::\d{1,5})?$/;

/** Parses the address of a client as its connection or proxy names it. */
function clientAddress(text: string): Address {
  const [, ipv6, ipv4] = ADDRESS_WITH_PORT.exec(text) ?? [];
  return parsedAddress(ipv6 ?? ipv4 ?? text) ?? hashIdentifierOf(text);
}

/**
 * Returns an identifier from 2001:20::/28, which RFC 7343 reserves for hashes in the form of
 * addresses: no machine has such an address.
 */
function hashIdentifierOf(text: string): Address {
  const hash = createHash('sha256').update(text).digest();
  return ipaddr.fromByteArray([0x20, 0x01, 0x00, 0x20 | ((hash[0] ?? 0) % 16), ...hash.subarray(1, 13)]);
}

/** Undefined unless the text is a complete address; ipaddr.js also takes '10.1' and '0x7f.1'. */
function parsedAddress(text: string): Address | undefined {
  const [address = ''] = text.split('%', 1);
  return isComplete(address) ? ipaddr.process(address) : undefined;
}

/** Undefined unless the text is a range; IPv4 mapped into IPv6 does not count. */
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

/**
 * Returns the range in CIDR notation with the host bits cleared; a single address without a prefix.
 */
function networkOf(address: Address, prefix: number): string {
  const bytes = address
    .toByteArray()
    .map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * index))));
  const network = textOf(ipaddr.fromByteArray(bytes));
  return prefix === 8 * bytes.length ? network : `${network}/${prefix}`;
}

/**
 * `public`: a machine on the internet. `private`: a machine in the operator's network, or this
 * machine. `forbidden`: an address without legitimate use in a webhook, such as link-local
 * addresses, where clouds serve credentials.
 */
type AddressReach = 'public' | 'private' | 'forbidden';

const privateRanges: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Metadata services of clouds outside link-local: Azure, Alibaba, AWS, Google. */
const metadataAddresses = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  ipaddr.parse(text).toNormalizedString(),
);

/**
 * RFC 4291, 2.4, and IANA's registry: all global unicast addresses have this prefix; NAT64,
 * site-local and the like do not.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 9637: reserved for documentation. */
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20');

/**
 * Classifies an IPv4 or IPv6 address in any notation; IPv4 mapped into IPv6 (RFC 4291, 2.5.5.2)
 * counts as IPv4.
 */
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
 * Parses a URL by the URL standard; returns undefined if the text is not one. Replaces
 * URL.canParse, which in Node 20 rejects every URL with a non-ASCII letter once it is called often
 * enough to be compiled. `base` is the base of a relative URL.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch (error) {
    if (isInvalidUrl(error)) return undefined;
    throw error;
  }
}

/** Checks the code, because Node's own errors may come from another realm, as under Jest. */
function isInvalidUrl(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_INVALID_URL';
}

/**
 * Ports of other protocols: the list of the Fetch standard
 * (https://fetch.spec.whatwg.org/#port-blocking), data stores and machine control. Below 1024 only
 * 80 and 443 are allowed.
 */
const refusedPorts = new Set(
  [
    '1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080',
    '1433 1521 2181 2375 2376 2379 2380 3306 3389 5432 5672 5900 5984 6379 6380 9042 9092 9200 9300 10250 11211 26257',
    '27017 27018 27019',
  ].flatMap((ports) => ports.split(' ').map(Number)),
);

/** Replaces a user name and a password in a URL that is stored and shown. */
const MASKED_CREDENTIALS = '***';

/** A URL with its user name and password split off. */
interface SplitUrl {
  /** The URL with `***` in place of credentials. */
  readonly url: string;
  /** `user:password`, decoded, as in Basic authorization (RFC 7617). */
  readonly credentials: string | undefined;
}

/** Splits user name and password off a URL, which must be valid. */
export function splitCredentials(text: string): SplitUrl {
  const url = new URL(text);
  const { username, password } = url;
  if (!username && !password) return { url: text, credentials: undefined };
  url.username = MASKED_CREDENTIALS;
  url.password = MASKED_CREDENTIALS;
  return { url: url.href, credentials: `${decoded(username)}:${decoded(password)}` };
}

/** Keeps percent signs that encode nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface UrlRules {
  readonly allowPrivate: boolean;
  readonly allowCredentials?: boolean;
}

/** Targets of the URLs that customers give us, each with an example. */
const calledThings = {
  webhook: { example: 'https://example.com/sms' },
  file: { example: 'https://example.com/menu.jpg' },
} as const;

/**
 * Returns the reason why a webhook URL is not acceptable, as shown to the user; undefined if it is.
 * Host names are resolved when the webhook is called; an IP address in the URL is checked here.
 */
export function webhookUrlFault(text: string, rules: UrlRules): string | undefined {
  return urlFault(text, 'webhook', rules);
}

/** As {@link webhookUrlFault}, for the URL of a file to fetch. */
export function fileUrlFault(text: string, rules: UrlRules): string | undefined {
  return urlFault(text, 'file', rules);
}

function urlFault(
  text: string,
  thing: keyof typeof calledThings,
  { allowPrivate, allowCredentials = false }: UrlRules,
): string | undefined {
  if (text.length > limits.webhookUrlCharactersMax)
    return `A ${thing} URL has at most ${limits.webhookUrlCharactersMax} characters.`;
  const url = parsedUrl(text);
  if (!url) return `This is not a URL. It should look like ${calledThings[thing].example}.`;
  const { protocol, hostname, port, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return `A ${thing} URL begins with https:// or http://.`;
  if (!allowCredentials && (username || password)) return `A ${thing} URL carries no user name or password.`;
  if (!isAllowedPort(port))
    return `A ${thing} uses port 443, 80, or one from 1024 up that belongs to no other service.`;
  const reach = reachOfHost(hostname);
  if (reach === 'forbidden' || (reach === 'private' && !allowPrivate))
    return `A ${thing} must be reachable from the internet: this address is private.`;
  return undefined;
}

/** URL omits the default port of the protocol. */
function isAllowedPort(text: string): boolean {
  const port = Number(text || 443);
  return port === 80 || port === 443 || (port >= 1024 && !refusedPorts.has(port));
}

/**
 * URL normalizes every notation of an IPv4 address (hex, octal, short) and puts IPv6 in brackets.
 */
function reachOfHost(hostname: string): ReturnType<typeof reachOf> {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (ipaddr.isValid(host)) return reachOf(host);
  return isLoopbackName(host) ? 'private' : 'public';
}

/** Tells whether a name always resolves to this machine (RFC 6761, section 6.3). */
export function isLoopbackName(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.+$/, '');
  return host === 'localhost' || host.endsWith('.localhost');
}
