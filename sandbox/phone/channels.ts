/** Channels of the phone page, each with a tab. */
export const PHONE_CHANNELS = ['sms', 'whatsapp', 'calls'] as const;
export type PhoneChannel = (typeof PHONE_CHANNELS)[number];
