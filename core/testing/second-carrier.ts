import { type CarrierConfig, Config } from '../platform/config/config.js';
import { FakeCarrier } from './fake-carrier.js';

export const SECOND_CARRIER = 2;
export const SECOND_SENDER = '+15005550099';

/** Returns the same settings with a second carrier, which has one sender. */
export function withSecondCarrier(config: Config, { carriesMedia = true } = {}): Config {
  const second: CarrierConfig = {
    name: 'second',
    number: SECOND_CARRIER,
    senders: [SECOND_SENDER],
    countrySenders: new Map(),
    carriesMedia,
  };
  const carriers = [...config.carriers, second];
  return Object.assign(Object.create(Config.prototype) as Config, config, { carriers });
}

/**
 * Returns the second carrier, in memory. Without `canBeAsked` it has no look-up and no list of
 * replies.
 */
export function secondCarrier({ canBeAsked = true } = {}): FakeCarrier {
  return new FakeCarrier('second', SECOND_CARRIER, canBeAsked);
}
