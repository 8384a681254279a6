import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { reachOf } from '../../rules/network-addresses.js';
import type { ResolveName } from './resolve-name.js';

/** An address that customers' URLs must not reach. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

interface GuardOptions {
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  readonly resolve: ResolveName;
}

/**
 * Opens connections to public addresses alone. A name is resolved once, and what is judged is what is connected to, so that a
 * name which changes its answer gains nothing; the address of the open socket is judged once more before a byte is sent.
 */
export function guardedConnector({ allowPrivate, timeoutMs, resolve }: GuardOptions): buildConnector.connector {
  const isAllowed = (address: string) => {
    const reach = reachOf(address);
    return reach === 'public' || (reach === 'private' && allowPrivate);
  };
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(resolve, isAllowed) });
  return (options, callback) => {
    // Addresses that stand in the URL are not looked up.
    if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) return callback(refused(), null);
    connect(options, (...result) => {
      const [, socket] = result;
      if (!socket || isAllowed(socket.remoteAddress ?? '')) return callback(...result);
      socket.destroy();
      callback(refused(), null);
    });
  };
}

/** All addresses of the name must be allowed: one that mixes public and private ones has no honest reason to. */
function guardedLookup(resolve: ResolveName, isAllowed: (address: string) => boolean): LookupFunction {
  const judged = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) throw noAddress(hostname);
    if (!addresses.every(({ address }) => isAllowed(address))) throw refused();
    return addresses;
  });
  return (hostname, options, callback) =>
    judged(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) callback(error, '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

function refused(): AddressRefused {
  return new AddressRefused('The address is not public');
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENODATA' });
}
