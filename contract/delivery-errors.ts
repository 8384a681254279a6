import type { MessageReason } from './messages.js';

/** Why a message was not delivered, in our words. */
export interface DeliveryError {
  /** The carrier's number, or a code of ours. */
  readonly code: string;
  /** A few words for a table. */
  readonly reason: string;
  /** What happened, as one or two sentences. */
  readonly meaning: string;
  /** Whether the same message to the same number would fail again. */
  readonly permanent: boolean;
  /** What the sender can do. */
  readonly remedy: string;
}

/** What `error_code` of a message can be. */
export const messageErrorCodes = [
  'carrier_refused',
  'carrier_unavailable',
  'not_delivered',
  'expired',
  'daily_limit',
  'recipient_opted_out',
  'account_blocked',
  'delivery_suspended',
] as const;
export type MessageErrorCode = (typeof messageErrorCodes)[number];

const removeNumber = 'Remove the number from your list, or ask the person for another one.';
const notYours = 'Nothing is wrong with your message. Send it again later, and tell support if it goes on.';
const writeToSupport = 'Write to support: only the operator of this service can change it.';

/** Our own codes, for a message that has none of the carrier. */
const ours: Readonly<Record<MessageErrorCode, Omit<DeliveryError, 'code'>>> = {
  carrier_refused: {
    reason: 'Refused by the carrier',
    meaning: 'The carrier refused the message and gave no code.',
    permanent: true,
    remedy: 'Check the number and the text. If both are right, write to support with the id of the message.',
  },
  carrier_unavailable: {
    reason: 'Carrier out of reach',
    meaning: 'The carrier could not take the message for four hours.',
    permanent: false,
    remedy: notYours,
  },
  not_delivered: {
    reason: 'Not delivered, no reason given',
    meaning: 'The carrier took the message and could not deliver it. It gave no code.',
    permanent: false,
    remedy: 'Send it again once. If it fails again, ask the person whether the number is still in use.',
  },
  expired: {
    reason: 'Expired before it was sent',
    meaning: 'The time that the message was valid for was over before the carrier could take it.',
    permanent: false,
    remedy:
      'Send it again with a longer `validity`, or without one. A one-time password has to be requested again instead.',
  },
  daily_limit: {
    reason: 'Daily limit reached',
    meaning: 'The daily limit of the account was reached before the message could leave.',
    permanent: false,
    remedy: 'Send it again tomorrow (New York time), or ask support for a higher limit.',
  },
  recipient_opted_out: {
    reason: 'Recipient opted out',
    meaning: 'The person replied STOP to the sender before the message could leave.',
    permanent: true,
    remedy: 'Do not write to this person until they have replied START.',
  },
  account_blocked: {
    reason: 'Account blocked',
    meaning: 'The account was blocked before the message could leave.',
    permanent: true,
    remedy: writeToSupport,
  },
  delivery_suspended: {
    reason: 'Sending suspended',
    meaning: 'The account was suspended from sending, because too many of its recipients were not reached.',
    permanent: false,
    remedy: 'Read the notice in the dashboard and remove the numbers that cannot be reached from your list.',
  },
};

/** The carrier's codes that SMS meets, with what each means for the sender. */
const carriers: Readonly<Record<number, Omit<DeliveryError, 'code'>>> = {
  21211: {
    reason: 'Invalid number',
    meaning: 'The number does not exist in the numbering plan of its country.',
    permanent: true,
    remedy: 'Correct the number. Write it with + and the country code.',
  },
  21408: {
    reason: 'Country not enabled',
    meaning: 'The carrier account of this service may not send to the country of this number.',
    permanent: true,
    remedy: writeToSupport,
  },
  21610: {
    reason: 'Recipient opted out',
    meaning: 'The person has replied STOP to this sender, and the carrier refuses messages to them.',
    permanent: true,
    remedy: 'Do not write to this person until they have replied START.',
  },
  21612: {
    reason: 'No route to this number',
    meaning: 'The carrier has no way from the sender to this number.',
    permanent: true,
    remedy: `${removeNumber} If several numbers of one country fail so, write to support.`,
  },
  21614: {
    reason: 'Not a mobile number',
    meaning: 'The number is valid, and no mobile phone has it.',
    permanent: true,
    remedy: removeNumber,
  },
  30001: {
    reason: 'Carrier queue full',
    meaning: 'More messages waited at the carrier for this sender than it keeps.',
    permanent: false,
    remedy: 'Send it again later, and spread large sends over a longer time.',
  },
  30002: {
    reason: 'Carrier account suspended',
    meaning: 'The carrier suspended the account of this service while the message was on its way.',
    permanent: false,
    remedy: notYours,
  },
  30003: {
    reason: 'Phone off or out of reach',
    meaning: 'The phone was switched off, out of coverage, or roaming where it takes no messages.',
    permanent: false,
    remedy: 'Send it again in a few hours. A number that fails for days is probably not in use any more.',
  },
  30004: {
    reason: 'Blocked',
    meaning: 'The phone or its network blocks messages: for this sender, or all of them.',
    permanent: true,
    remedy: 'Ask the person to allow messages at their provider, or reach them in another way.',
  },
  30005: {
    reason: 'Number not in use',
    meaning: 'The network does not know the number, or it is not in use any more.',
    permanent: true,
    remedy: removeNumber,
  },
  30006: {
    reason: 'Landline or unreachable network',
    meaning: 'The number is a landline, or its network takes no messages from the carrier.',
    permanent: true,
    remedy: removeNumber,
  },
  30007: {
    reason: 'Filtered as spam',
    meaning: 'The carrier or a network took the text for spam, or for content that it forbids.',
    permanent: true,
    remedy: 'Change the text: name yourself, avoid shortened links, and write only to people who agreed to it.',
  },
  30008: {
    reason: 'Unknown error at the network',
    meaning: 'The network reported a failure and gave no reason.',
    permanent: false,
    remedy: 'Send it again once. If it fails again, ask the person whether the number is still in use.',
  },
  30009: {
    reason: 'Part of the message lost',
    meaning: 'A segment of a message of several did not arrive at the carrier.',
    permanent: false,
    remedy: 'Send it again. A shorter text needs fewer segments.',
  },
  30010: {
    reason: 'Above the price limit',
    meaning: 'The message cost more at the carrier than this service allows.',
    permanent: true,
    remedy: writeToSupport,
  },
  30011: {
    reason: 'Media not supported',
    meaning: 'The number cannot receive media messages.',
    permanent: true,
    remedy: 'Send a text without media.',
  },
  30017: {
    reason: 'Network congested',
    meaning: 'The network of the number was overloaded.',
    permanent: false,
    remedy: 'Send it again in some minutes.',
  },
  30018: {
    reason: 'Sender not registered',
    meaning: 'The network takes messages from registered senders only, and the sender is not registered there.',
    permanent: true,
    remedy: writeToSupport,
  },
  30019: {
    reason: 'Too large for the network',
    meaning: 'The content is larger than the network of the number takes.',
    permanent: true,
    remedy: 'Send a shorter text.',
  },
  30022: {
    reason: 'Sending rate exceeded (US)',
    meaning: 'The sender exceeded the rate that US networks allow its registered campaign (A2P 10DLC).',
    permanent: false,
    remedy: 'Send it again later, and spread large sends over a longer time.',
  },
  30023: {
    reason: 'Daily cap of the network reached (US)',
    meaning: 'The sender used up what US networks take from its brand on one day (A2P 10DLC).',
    permanent: false,
    remedy: 'Send it again tomorrow, and spread large sends over several days.',
  },
  30024: {
    reason: 'Sender not set up at the network',
    meaning: 'The network of the number does not know the numeric sender yet.',
    permanent: true,
    remedy: writeToSupport,
  },
  30027: {
    reason: 'Daily limit of T-Mobile reached (US)',
    meaning: 'The sender used up what T-Mobile takes from its brand on one day (A2P 10DLC).',
    permanent: false,
    remedy: 'Send it again tomorrow, and spread large sends over several days.',
  },
  30032: {
    reason: 'Toll-free sender not verified',
    meaning: 'The sender is a toll-free number that is not verified, so US and Canadian networks block it.',
    permanent: true,
    remedy: writeToSupport,
  },
  30033: {
    reason: 'Campaign suspended (US)',
    meaning: 'The registered campaign of the sender is suspended (A2P 10DLC).',
    permanent: true,
    remedy: writeToSupport,
  },
  30034: {
    reason: 'Sender not registered (US)',
    meaning: 'The sender is not registered for messages from programs to US numbers (A2P 10DLC).',
    permanent: true,
    remedy: writeToSupport,
  },
  30036: {
    reason: 'Not delivered in time',
    meaning: 'The message could not be delivered within the time that it was valid for.',
    permanent: false,
    remedy: 'Send it again with a longer `validity`, or without one.',
  },
  30037: {
    reason: 'Sending turned off',
    meaning: 'Sending is turned off for the carrier account of this service.',
    permanent: false,
    remedy: notYours,
  },
  30038: {
    reason: 'One-time password filtered',
    meaning: 'The text looks like a one-time password, and the carrier does not deliver those from this sender.',
    permanent: true,
    remedy: 'Send one-time passwords with `POST /api/sendotp`.',
  },
  30039: {
    reason: 'Message loop',
    meaning: 'Two programs answered each other, and the carrier stopped it.',
    permanent: true,
    remedy: 'Let your program answer at most once to the same text of the same number.',
  },
  30044: {
    reason: 'Too long for a trial account',
    meaning: 'The carrier account of this service is on trial, which limits the length of a text.',
    permanent: true,
    remedy: writeToSupport,
  },
};

/**
 * Every code that we explain: ours first, then the carrier's by number.
 *
 * Source of the carrier's: Twilio's error dictionary, one page for each code
 * (https://www.twilio.com/docs/api/errors). Codes whose meaning there is not certain to us are left
 * out and get the text of an unknown one.
 */
export const deliveryErrors: readonly DeliveryError[] = [...Object.entries(ours), ...Object.entries(carriers)].map(
  ([code, error]) => ({ code, ...error }),
);

const known = new Map(deliveryErrors.map((error) => [error.code, error]));

/** The anchor that explains every code that is not in the table. */
export const unknownErrorAnchor = 'unknown';

/** Returns what we know of a code; of an unknown one, that it is unknown, and what to try. */
export function deliveryErrorOf(code: string): DeliveryError {
  const isCarriers = /^\d+$/.test(code);
  return (
    known.get(code) ?? {
      code,
      reason: isCarriers ? 'Error of the carrier' : 'Not sent',
      meaning: isCarriers
        ? `The carrier reported its code ${code}, which this service does not know.`
        : `The message ended with the code ${code}, which has no explanation yet.`,
      permanent: false,
      remedy: 'Send it again once. If it fails again, write to support with the id of the message.',
    }
  );
}

/** Whether the code has an explanation of its own. */
export const isKnownDeliveryError = (code: string): boolean => known.has(code);

/**
 * Returns the code that explains most: the carrier's if there is one, else ours. Null for a message
 * without an error.
 */
export function reasonCodeOf(errorCode: string | null, carrierError: number | null): string | null {
  if (errorCode === null) return null;
  return carrierError === null ? errorCode : String(carrierError);
}

/** Returns why a message was not delivered; null for a message without an error. */
export function reasonOf(errorCode: string | null, carrierError: number | null): MessageReason | null {
  const code = reasonCodeOf(errorCode, carrierError);
  if (code === null) return null;
  const { reason, permanent } = deliveryErrorOf(code);
  return { code, text: reason, permanent };
}
