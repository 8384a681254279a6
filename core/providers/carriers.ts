import type { BuildCarriers } from '../messages/routes/carriers.js';
import { TwilioCarrier } from './twilio/twilio-carrier.js';

/** An SDK takes a second and tens of megabytes to load: that of a carrier that is not configured is not. */
export const buildCarriers: BuildCarriers = async (config) => {
  const { telnyx, http, dispatch } = config;
  const twilio = new TwilioCarrier(config);
  if (!telnyx) return [twilio];
  const { TelnyxCarrier } = await import('./telnyx/telnyx-carrier.js');
  return [twilio, new TelnyxCarrier(telnyx, http.publicUrl, dispatch.timeoutMs)];
};
