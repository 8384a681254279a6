import type { BuildCarriers, Carrier } from '../carriers/carrier.js';
import type { ChannelConfig, Config } from '../platform/config/config.js';
import { SmppCarrier } from './smpp/smpp-bind.js';
import { EmailCarrier } from './smtp/email-carrier.js';
import { TwilioCarrier } from './twilio/twilio-carrier.js';
import { VoiceCarrier } from './twilio/voice-carrier.js';
import { WhatsAppCarrier } from './twilio/whatsapp-carrier.js';

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
  const binds = smpp.map((settings) => new SmppCarrier(settings));
  return [...carriers, ...binds, ...config.channels.map((channel) => carrierOfChannel(channel, config))];
};

function carrierOfChannel({ name }: ChannelConfig, config: Config): Carrier {
  switch (name) {
    case 'whatsapp':
      return new WhatsAppCarrier(config);
    case 'voice':
      return new VoiceCarrier(config);
    case 'email':
      return new EmailCarrier(config);
  }
}
