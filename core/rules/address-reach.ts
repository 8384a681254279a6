import ipaddr from 'ipaddr.js';

/**
 * Who can be at an address. `public`: a machine on the internet. `private`: one of the operator's own network, or this
 * machine. `forbidden`: none that anybody has a reason to call, such as link-local addresses with a cloud's credentials behind them.
 */
export type AddressReach = 'public' | 'private' | 'forbidden';

const privateRanges: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Where clouds tell a machine its credentials and settings, outside link-local: Azure, Alibaba, AWS, Google. */
const metadataAddresses = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  ipaddr.parse(text).toNormalizedString(),
);

/** RFC 4291, 2.4, and IANA's registry: all that is global unicast begins with these bits, and NAT64, site-local and the like do not. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 9637: for documentation. */
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20');

/** Judges an IPv4 or IPv6 address in any of its spellings; IPv4 in IPv6 (RFC 4291, 2.5.5.2) is that IPv4 address. */
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
