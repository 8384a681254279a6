import { Resolver } from 'node:dns/promises';
import { isLoopbackName } from '../../rules/webhook-url.js';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type ResolveName = (name: string) => Promise<ResolvedAddress[]>;

/**
 * The addresses of a name, asked of DNS itself: the system's own look-up holds one of four threads while a name server hangs,
 * and so would hold everybody. /etc/hosts does not count. Throws with the resolver's code when there is none.
 */
export const resolveName: ResolveName = async (name) => {
  if (isLoopbackName(name)) return [loopback4, loopback6];
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
};

const loopback4: ResolvedAddress = { address: '127.0.0.1', family: 4 };
const loopback6: ResolvedAddress = { address: '::1', family: 6 };

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}
