import { PHONE_CHANNELS, type PhoneChannel } from '../../phone/channels.js';

/** Id of an open number and tab in the address: `+14155552671`, `+14155552671/calls`. */
export function threadId(phone: string, channel: PhoneChannel): string {
  return channel === 'sms' ? phone : `${phone}/${channel}`;
}

/** Number and tab of an id; an unknown tab is the tab of SMS. */
export function readThreadId(id: string): { readonly phone: string; readonly channel: PhoneChannel } {
  const [phone = '', tab] = id.split('/');
  return { phone, channel: PHONE_CHANNELS.find((known) => known === tab) ?? 'sms' };
}
