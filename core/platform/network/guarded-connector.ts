import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { isLoopbackName, reachOf } from '../../rules/network-addresses.js';

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type ResolveName = (name: string) => Promise<ResolvedAddress[]>;

/** Addresses that are allowed, and the timeout of a call. */
export interface GuardedOptions {
  readonly allowPrivate: boolean;
  /**
   * Time from the start of the call, with name resolution and TLS, to the last byte of the answer.
   */
  readonly timeoutMs: number;
  readonly resolve?: ResolveName;
}

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';

  constructor() {
    super('The address is not public');
  }
}

/**
 * Connects to public addresses only. Resolves a name once and connects to the addresses it checked,
 * so that a name whose answers change (DNS rebinding) gains nothing; checks the connected socket's
 * address again before a byte is sent.
 */
export function guardedConnector(options: GuardedOptions): buildConnector.connector {
  const { allowPrivate, timeoutMs, resolve = resolveName } = options;
  const isAllowed = (address: string) => {
    const reach = reachOf(address);
    return reach === 'public' || (reach === 'private' && allowPrivate);
  };
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(resolve, isAllowed) });
  return (host, callback) => {
    // An address in the URL is not looked up.
    if (isIP(host.hostname) !== 0 && !isAllowed(host.hostname)) return callback(new AddressRefused(), null);
    connect(host, (...result) => {
      const [, socket] = result;
      if (!socket || isAllowed(socket.remoteAddress ?? '')) return callback(...result);
      socket.destroy();
      callback(new AddressRefused(), null);
    });
  };
}

/**
 * Refuses a name unless all of its addresses are allowed: there is no honest reason to mix public
 * and private addresses.
 */
function guardedLookup(resolve: ResolveName, isAllowed: (address: string) => boolean): LookupFunction {
  const checked = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENODATA' });
    if (!addresses.every(({ address }) => isAllowed(address))) throw new AddressRefused();
    return addresses;
  });
  return (hostname, options, callback) =>
    checked(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) callback(error, '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

/**
 * Resolves a name by DNS queries. Avoids the system's resolver, which blocks one of four threads
 * while a name server hangs; /etc/hosts is ignored. Throws with the resolver's code when the name
 * has no address.
 */
async function resolveName(name: string): Promise<ResolvedAddress[]> {
  if (isLoopbackName(name)) return loopback;
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}

const loopback: ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

const reasons: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'The address is not on the public internet, so it was not called.',
  ENOTFOUND: 'The name of the host does not resolve.',
  ENODATA: 'The name of the host does not resolve.',
  ESERVFAIL: 'The name server of the host did not answer.',
  ETIMEOUT: 'The name server of the host did not answer.',
  ECONNREFUSED: 'The connection was refused.',
  ENETUNREACH: 'The host cannot be reached.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ECONNRESET: 'The connection broke before the answer was complete.',
  EPIPE: 'The connection broke before the answer was complete.',
  UND_ERR_SOCKET: 'The connection broke before the answer was complete.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is not as long as its Content-Length.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
};

/** Explains a failed call to the owner of the URL, without details of our own network. */
export function reasonOf(error: unknown, { isLate, timeoutMs }: { isLate: boolean; timeoutMs: number }): string {
  const code = codeOf(error);
  if (isLate || code === 'UND_ERR_CONNECT_TIMEOUT')
    return `There was no complete answer within ${timeoutMs / 1_000} s.`;
  if (code === undefined) return 'The call failed.';
  if (reasons[code] !== undefined) return reasons[code];
  if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER|VERIFY/.test(code)) return `There is no secure connection (${code}).`;
  if (code.startsWith('HPE_')) return `The answer is not HTTP (${code}).`;
  return `The call failed (${code}).`;
}

/**
 * Returns the error's code; for a connection attempt to several addresses the first error's code.
 */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
