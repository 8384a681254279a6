import type { BuildCarriers, Carrier } from '../carriers/carrier.js';
import { SmppCarrier } from './smpp/smpp-bind.js';
import { TwilioCarrier } from './twilio/twilio-carrier.js';

/**
 * Loads the SDK of configured carriers only: an SDK takes a second and tens of megabytes to load.
 */
export const buildCarriers: BuildCarriers = async (config) => {
  const { telnyx, http, dispatch, smpp } = config;
  const carriers: Carrier[] = [new TwilioCarrier(config)];
  if (telnyx) {
    const { TelnyxCarrier } = await import('./telnyx/telnyx-carrier.js');
    carriers.push(new TelnyxCarrier(telnyx, http.publicUrl, dispatch.timeoutMs));
  }
  return [...carriers, ...smpp.map((settings) => new SmppCarrier(settings))];
};
