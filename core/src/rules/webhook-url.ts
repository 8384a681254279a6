import ipaddr from 'ipaddr.js';
import { limits } from '#contract/limits.js';
import { parsedUrl } from './parsed-url.js';

/**
 * What is wrong with a webhook URL, for the person who typed it; undefined when nothing is. Names are looked up when a
 * webhook is called; an address that stands in the URL itself is judged here.
 */
export function webhookUrlFault(text: string, { allowPrivate }: { allowPrivate: boolean }): string | undefined {
  if (text.length > limits.webhookUrlCharactersMax)
    return `A webhook URL has at most ${limits.webhookUrlCharactersMax} characters.`;
  const url = parsedUrl(text);
  if (!url) return 'This is not a URL. It should look like https://example.com/sms.';
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'https:' && protocol !== 'http:') return 'A webhook URL begins with https:// or http://.';
  if (username || password) return 'A webhook URL carries no user name or password.';
  if (!allowPrivate && isPrivateHost(hostname))
    return 'A webhook must be reachable from the internet: this address is private.';
  return undefined;
}

/** URL has brought every spelling of an IPv4 address (hex, octal, short) to the usual one, and IPv6 into brackets. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== 'unicast';
  // RFC 6761, section 6.3: these names are this machine.
  return host === 'localhost' || host.endsWith('.localhost');
}
