import ipaddr from 'ipaddr.js';
import { limits } from '#contract/limits.js';
import { reachOf, parsedUrl } from './network-addresses.js';

/**
 * Ports of other protocols: the list of the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking), data stores and
 * machine control. Below 1024 only 80 and 443 are allowed.
 */
const refusedPorts = new Set(
  [
    '1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080',
    '1433 1521 2181 2375 2376 2379 2380 3306 3389 5432 5672 5900 5984 6379 6380 9042 9092 9200 9300 10250 11211 26257',
    '27017 27018 27019',
  ].flatMap((ports) => ports.split(' ').map(Number)),
);

/**
 * Returns the reason why a webhook URL is not acceptable, as shown to the user; undefined if it is. Host names are resolved when
 * the webhook is called; an IP address in the URL is checked here.
 */
export function webhookUrlFault(text: string, { allowPrivate }: { allowPrivate: boolean }): string | undefined {
  if (text.length > limits.webhookUrlCharactersMax)
    return `A webhook URL has at most ${limits.webhookUrlCharactersMax} characters.`;
  const url = parsedUrl(text);
  if (!url) return 'This is not a URL. It should look like https://example.com/sms.';
  const { protocol, hostname, port, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return 'A webhook URL begins with https:// or http://.';
  if (username || password) return 'A webhook URL carries no user name or password.';
  if (!isAllowedPort(port)) return 'A webhook uses port 443, 80, or one from 1024 up that belongs to no other service.';
  const reach = reachOfHost(hostname);
  if (reach === 'forbidden' || (reach === 'private' && !allowPrivate))
    return 'A webhook must be reachable from the internet: this address is private.';
  return undefined;
}

/** URL omits the default port of the protocol. */
function isAllowedPort(text: string): boolean {
  const port = Number(text || 443);
  return port === 80 || port === 443 || (port >= 1024 && !refusedPorts.has(port));
}

/** URL normalizes every notation of an IPv4 address (hex, octal, short) and puts IPv6 in brackets. */
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
