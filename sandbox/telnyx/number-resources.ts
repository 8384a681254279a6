import type { AvailablePhoneNumberListResponse } from 'telnyx/resources/available-phone-numbers.js';
import type { NumberOrderWithPhoneNumbers } from 'telnyx/resources/number-orders.js';
import type { NumbersPhoneNumberDetailed } from 'telnyx/resources/phone-numbers/phone-numbers.js';
import type { PhoneNumberWithMessagingSettings } from 'telnyx/resources/shared.js';
import type { AvailableNumber } from '../carriers/numbers/number-inventory.js';
import type { OwnedNumber } from '../carriers/numbers/number-store.js';
import { PROFILE } from './message-resource.js';
import type { NumberOrder } from './number-orders.js';

/** Telnyx's resource of a number for sale. */
export function availableResource(number: AvailableNumber): AvailablePhoneNumberListResponse.Data {
  const { phoneNumber, country, locality, region, capabilities } = number;
  return {
    record_type: 'available_phone_number',
    phone_number: phoneNumber,
    vanity_format: '',
    best_effort: false,
    quickship: true,
    reservable: true,
    region_information: [
      { region_type: 'country_code', region_name: country },
      ...(locality === null ? [] : [{ region_type: 'rate_center' as const, region_name: locality.toUpperCase() }]),
      ...(locality === null ? [] : [{ region_type: 'location' as const, region_name: locality }]),
      ...(region === null ? [] : [{ region_type: 'state' as const, region_name: region }]),
    ],
    cost_information: { upfront_cost: '1.00', monthly_cost: '1.00', currency: 'USD' },
    features: Object.entries(capabilities).flatMap(([name, has]) => (has ? [{ name }] : [])),
  };
}

/** Telnyx's resource of a number order. */
export function orderResource(order: NumberOrder): NumberOrderWithPhoneNumbers {
  const { id, phoneNumber, status, requirementsMet, reference, profileId } = order;
  const line = { id: lineId(id), record_type: 'number_order_phone_number', phone_number: phoneNumber, status };
  return {
    id,
    record_type: 'number_order',
    status,
    phone_numbers_count: 1,
    phone_numbers: [{ ...line, requirements_met: requirementsMet, regulatory_requirements: [] }],
    requirements_met: requirementsMet,
    sub_number_orders_ids: [],
    created_at: instant(order.createdAtMs),
    updated_at: instant(order.updatedAtMs),
    ...(reference !== null && { customer_reference: reference }),
    ...(profileId !== null && { messaging_profile_id: profileId }),
  };
}

/** The id of an order's line differs from the number's id. */
function lineId(orderId: string): string {
  return `${orderId.slice(0, -4)}0001`;
}

/** Telnyx's resource of a number of the product. */
export function ownedResource(number: OwnedNumber): NumbersPhoneNumberDetailed {
  const { sid, phoneNumber, friendlyName, profileId, boughtAtMs } = number;
  const at = instant(boughtAtMs);
  return {
    id: sid,
    record_type: 'phone_number',
    phone_number: phoneNumber,
    country_iso_alpha2: 'US',
    phone_number_type: /^\+18(00|33|44|55|66|77|88)/.test(phoneNumber) ? 'toll_free' : 'local',
    status: 'active',
    tags: [],
    external_pin: null,
    deletion_lock_enabled: false,
    customer_reference: friendlyName || null,
    messaging_profile_id: profileId,
    messaging_profile_name: profileId === null ? null : PROFILE.name,
    purchased_at: at,
    created_at: at,
    activated_at: at,
    updated_at: at,
    source_type: 'number_order',
  };
}

/** Messaging settings of a number of the product. */
export function messagingResource({
  sid,
  phoneNumber,
  profileId,
  capabilities,
  boughtAtMs,
}: OwnedNumber): PhoneNumberWithMessagingSettings {
  const everything = { domestic_two_way: true, international_inbound: true, international_outbound: true };
  return {
    id: sid,
    record_type: 'messaging_settings',
    phone_number: phoneNumber,
    messaging_profile_id: profileId,
    features: { sms: capabilities.sms ? everything : null, mms: capabilities.mms ? everything : null },
    messaging_product: 'A2P',
    traffic_type: 'A2P',
    country_code: 'US',
    type: 'long-code',
    created_at: instant(boughtAtMs),
    updated_at: instant(boughtAtMs),
  };
}

function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}
