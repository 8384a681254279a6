import type { CarrierName } from '../../carriers/message.js';
import type { ChannelName } from '../../control/carriers.routes.js';
import type { FAULT_MODES, FaultMode } from '../../control/faults.js';

type CarrierFault = Exclude<(typeof FAULT_MODES)[CarrierName | ChannelName][number], 'none'>;

/** Delay of the faults that wait. */
export const DELAY_MS = 3_000;

/** Behavior of a carrier under each fault. */
export const faultWords: Readonly<Record<CarrierFault, string>> = {
  timeout: 'Hangs',
  '500': 'Answers with an error',
  '429': 'Throttles',
  suspended: 'Refuses our account',
  refuse: 'Refuses every number',
  delay: `Answers after ${DELAY_MS / 1_000} seconds`,
  'lost-answer': 'Takes, then breaks the connection',
  'accepted-then-5xx': 'Takes, then answers with an error',
  undelivered: 'Delivers nothing',
  filtered: 'Filters everything as spam',
  'no-callback': 'Sends no receipts',
  'late-callback': `Sends receipts ${DELAY_MS / 1_000} seconds late`,
  'duplicate-callback': 'Sends every receipt twice',
  'fake-callback': 'Sends a false receipt before each true one',
  'media-404': 'Finds none of our files',
  'media-slow': 'Fetches our files slowly',
  'queue-full': 'Has a full queue',
  unbind: 'Ends the bind',
  'already-bound': 'Refuses the next bind as already bound',
  'unknown-template': 'Does not know the template',
  'template-paused': 'Has paused the template',
  'outside-session': 'Takes, then finds no open session',
  'no-whatsapp': 'Takes, then finds no WhatsApp at the number',
  'unknown-to': 'Takes, then does not find the number',
  'no-answer': `Rings out after ${DELAY_MS / 1_000} seconds`,
  busy: 'Finds every number busy',
  failed: 'Reaches no number',
  machine: 'Is answered by a machine',
  stuck: 'Takes a call, then does nothing',
  'hex-ids': 'Writes the ids of receipts in hexadecimal',
};

/** Behavior of a carrier under a fault; null while it works. */
export function wordsOf(mode: FaultMode): string | null {
  return Object.entries(faultWords).find(([known]) => known === mode)?.[1] ?? null;
}
