import type { FaultMode } from '../../control/faults.js';
import { type AvailableNumber, inventory } from './number-inventory.js';

/** Faults of the service `numbers` that apply to lists. */
export const LIST_MODES: readonly FaultMode[] = [
  'delay',
  '429',
  '500',
  'timeout',
  'suspended',
  'no-sms',
  'other-country',
];

/** Faults of the service `numbers` that apply to releases. */
export const NUMBER_RELEASE_MODES: readonly FaultMode[] = [
  'delay',
  '429',
  '500',
  'timeout',
  'suspended',
  'lost-answer',
  'accepted-then-5xx',
];

/** A number as a list shows it under a fault. */
export function changedByFault(number: AvailableNumber, mode: FaultMode): AvailableNumber {
  if (mode === 'no-sms') return { ...number, capabilities: { ...number.capabilities, sms: false, mms: false } };
  if (mode !== 'other-country') return number;
  const [other] = inventory({ country: 'CA', type: 'Local', areaCode: '416', contains: null });
  return other ?? number;
}
