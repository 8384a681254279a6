import { rfc2822 } from '../message-resource.js';
import type { AvailableNumber } from '../../carriers/numbers/number-inventory.js';
import type { OwnedNumber } from '../../carriers/numbers/number-store.js';

export function availableResource({ phoneNumber, country, locality, region, capabilities }: AvailableNumber) {
  const { voice, sms, mms } = capabilities;
  return {
    address_requirements: 'none',
    beta: false,
    capabilities: { voice, SMS: sms, MMS: mms, fax: false },
    friendly_name: friendlyForm(phoneNumber),
    iso_country: country,
    lata: null,
    latitude: null,
    locality,
    longitude: null,
    phone_number: phoneNumber,
    postal_code: null,
    rate_center: locality?.toUpperCase() ?? null,
    region,
  };
}

export function ownedResource(number: OwnedNumber, accountSid: string) {
  const { sid, phoneNumber, friendlyName, smsUrl, capabilities, boughtAtMs } = number;
  const at = rfc2822(boughtAtMs);
  return {
    account_sid: accountSid,
    address_requirements: 'none',
    address_sid: null,
    api_version: '2010-04-01',
    beta: false,
    bundle_sid: null,
    capabilities: { ...capabilities, fax: false },
    date_created: at,
    date_updated: at,
    emergency_address_sid: null,
    emergency_address_status: 'unregistered',
    emergency_status: 'Inactive',
    friendly_name: friendlyName,
    identity_sid: null,
    origin: 'twilio',
    phone_number: phoneNumber,
    sid,
    sms_application_sid: '',
    sms_fallback_method: 'POST',
    sms_fallback_url: '',
    sms_method: 'POST',
    sms_url: smsUrl,
    status: 'in-use',
    status_callback: '',
    status_callback_method: 'POST',
    trunk_sid: null,
    uri: `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers/${sid}.json`,
    voice_application_sid: null,
    voice_caller_id_lookup: false,
    voice_fallback_method: 'POST',
    voice_fallback_url: '',
    voice_method: 'POST',
    voice_receive_mode: 'voice',
    voice_url: '',
  };
}

/** A North American number in Twilio's form: `(415) 222-1234`. */
function friendlyForm(phoneNumber: string): string {
  return phoneNumber.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
}
