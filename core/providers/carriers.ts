import type { BuildCarriers } from '../messages/routes/carriers.js';
import { TwilioCarrier } from './twilio/twilio-carrier.js';

export const buildCarriers: BuildCarriers = (config) => [new TwilioCarrier(config)];
