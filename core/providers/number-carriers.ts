import type { BuildNumberCarriers } from '../numbers/number-carriers.js';
import { TelnyxNumbers } from './telnyx/telnyx-numbers.js';
import { TwilioNumbers } from './twilio/twilio-numbers.js';

/** Builds every carrier that has numbers of accounts, even if it sells no new numbers. */
export const buildNumberCarriers: BuildNumberCarriers = (config) => {
  const { telnyx, dispatch } = config;
  return [new TwilioNumbers(config), ...(telnyx ? [new TelnyxNumbers(telnyx, dispatch.timeoutMs)] : [])];
};
