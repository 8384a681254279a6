import {
  bindNumbers,
  type CarrierCode,
  type CarrierCodes,
  carrierNumbers,
  type Explanation,
  type FailureClass,
  remedies,
} from './carrier-codes.js';
import { smtpCodes, twilioChannelCodes } from './channel-codes.js';
import type { MessageReason } from './messages.js';
import { smppCodes, smppNetworkCodes } from './smpp-codes.js';
import { telnyxCodes } from './telnyx-codes.js';
import { twilioCodes } from './twilio-codes.js';

/** Reason why a message was not delivered, in our words. */
export interface DeliveryError extends Explanation {
  /** The carrier's number, or our own code. */
  readonly code: string;
}

/** Values of a message's `error_code`. */
export const messageErrorCodes = [
  'carrier_refused',
  'carrier_unavailable',
  'not_delivered',
  'expired',
  'daily_limit',
  'recipient_opted_out',
  'account_blocked',
  'delivery_suspended',
  'media_unsupported',
  'media_too_large',
  'media_expired',
  'sender_released',
  'call_unanswered',
  'call_busy',
  'call_machine',
  'call_failed',
] as const;
export type MessageErrorCode = (typeof messageErrorCodes)[number];

/** Our own codes, for a message without a code of the carrier. */
const ours: Readonly<Record<MessageErrorCode, Explanation>> = {
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
    remedy: remedies.notYours,
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
    remedy: remedies.writeToSupport,
  },
  delivery_suspended: {
    reason: 'Sending suspended',
    meaning: 'The account was suspended from sending, because too many of its recipients were not reached.',
    permanent: false,
    remedy: 'Read the notice in the dashboard and remove the numbers that cannot be reached from your list.',
  },
  media_unsupported: {
    reason: 'No route for files',
    meaning: 'When the message was to leave, no route to this number took files.',
    permanent: false,
    remedy: 'Send it again later, or send a text.',
  },
  media_too_large: {
    reason: 'Files too large for the route',
    meaning: 'The message had to take another route, which takes fewer bytes than its files have.',
    permanent: false,
    remedy: 'Send it again with smaller files, or let pictures be made smaller.',
  },
  media_expired: {
    reason: 'Files deleted',
    meaning: 'The files of the message were deleted before it could leave.',
    permanent: true,
    remedy: 'Send it again with files that are kept until it leaves.',
  },
  sender_released: {
    reason: 'Number released',
    meaning: 'The number that the message was to be sent from was released before the message could leave.',
    permanent: false,
    remedy: 'Send it again from another number, or without `from`.',
  },
  call_unanswered: {
    reason: 'Call not answered',
    meaning: 'The telephone rang, and the call was not answered.',
    permanent: false,
    remedy: 'Send the code by another channel, or call again.',
  },
  call_busy: {
    reason: 'Line busy',
    meaning: 'The line was busy, or the call was declined.',
    permanent: false,
    remedy: 'Send the code by another channel, or call again.',
  },
  call_machine: {
    reason: 'Answered by a machine',
    meaning: 'A machine answered the call, so the person did not hear the code.',
    permanent: false,
    remedy: 'Send the code by another channel.',
  },
  call_failed: {
    reason: 'Call not connected',
    meaning: 'The telephone network could not connect the call.',
    permanent: false,
    remedy: 'Check the number. If it is right, send the code by another channel.',
  },
};

/** The codes of every carrier, by its number in stored messages; all SMPP binds share `smpp`. */
export const carrierCodes: Readonly<Record<number, CarrierCodes>> = {
  [carrierNumbers.twilio]: { ...twilioCodes, ...twilioChannelCodes },
  [carrierNumbers.telnyx]: telnyxCodes,
  [carrierNumbers.smpp]: smppCodes,
  [carrierNumbers.email]: smtpCodes,
};

/** The channels of Twilio share its codes. */
const tableOf: Readonly<Record<number, number>> = {
  [carrierNumbers.whatsapp]: carrierNumbers.twilio,
  [carrierNumbers.voice]: carrierNumbers.twilio,
};

/** Every code that we explain: ours first, then the carriers' by number. */
export const deliveryErrors: readonly DeliveryError[] = [
  ...Object.entries(ours),
  ...Object.values(carrierCodes).flatMap((codes) => Object.entries(codes)),
].flatMap(([code, error]) => {
  if (error.reason === undefined) return [];
  const { reason, meaning, permanent, remedy } = error;
  return [{ code, reason, meaning, permanent, remedy }];
});

/**
 * Source of a carrier's code: its `answer` to a hand-over, or a `receipt` of a message that it
 * took. SMPP peers use different codes in each.
 */
export type CodeSource = 'answer' | 'receipt';

/** Returns the source of a carrier's code, by the `error_code` that was stored with it. */
export function codeSourceOf(errorCode: string | null | undefined): CodeSource {
  return errorCode === 'not_delivered' ? 'receipt' : 'answer';
}

function codeOf(carrier: number, code: number, source: CodeSource): CarrierCode | undefined {
  if (carrier < bindNumbers.first) return carrierCodes[tableOf[carrier] ?? carrier]?.[code];
  return (source === 'receipt' ? smppNetworkCodes : smppCodes)[code];
}

/**
 * Returns whether a carrier's code is known. All codes in receipts of SMPP peers are, because each
 * peer has its own.
 */
export function isKnownCarrierCode(carrier: number, code: number, source: CodeSource = 'answer'): boolean {
  return (carrier >= bindNumbers.first && source === 'receipt') || codeOf(carrier, code, source) !== undefined;
}

/** Returns the class of a carrier's code; `unknown` for a code outside its table. */
export function failureClassOf(carrier: number, code: number | null, source: CodeSource = 'answer'): FailureClass {
  return (code === null ? undefined : codeOf(carrier, code, source))?.class ?? 'unknown';
}

const known = new Map(deliveryErrors.map((error) => [error.code, error]));

/** The anchor that explains every code that is not in the table. */
export const unknownErrorAnchor = 'unknown';

/** Returns our explanation of a code; an unknown code gets general advice. */
export function deliveryErrorOf(code: string): DeliveryError {
  const isCarriers = /^\d+$/.test(code);
  const [, network] = NETWORK_CODE.exec(code) ?? [];
  if (network !== undefined)
    return {
      ...ours.not_delivered,
      code,
      reason: `Not delivered (network code ${network})`,
      meaning: `The carrier took the message and could not deliver it. The network gave its code ${network}.`,
    };
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

/** Returns whether the code has its own explanation. */
export const isKnownDeliveryError = (code: string): boolean => known.has(code);

/**
 * Codes of HTTP carriers are higher. Lower codes in receipts come from a network behind an SMPP
 * peer, whose answers use the same numbers with other meanings.
 */
export const NETWORK_CODES_END = 10_000;
const NETWORK_CODE = /^network_(\d{1,4})$/;

/**
 * Returns whether a code is from the network behind an SMPP peer, by the `error_code` stored with
 * it.
 */
export function isNetworkCode(errorCode: string | null, carrierError: number | null): boolean {
  return carrierError !== null && carrierError < NETWORK_CODES_END && codeSourceOf(errorCode) === 'receipt';
}

/**
 * Returns the code that explains most: the carrier's if there is one, else ours; a network's code
 * as `network_27`. Null for a message without an error.
 */
export function reasonCodeOf(errorCode: string | null, carrierError: number | null): string | null {
  if (errorCode === null) return null;
  if (isNetworkCode(errorCode, carrierError)) return `network_${carrierError}`;
  return carrierError === null ? errorCode : String(carrierError);
}

/** Returns why a message was not delivered; null for a message without an error. */
export function reasonOf(errorCode: string | null, carrierError: number | null): MessageReason | null {
  const code = reasonCodeOf(errorCode, carrierError);
  if (code === null) return null;
  const { reason, permanent } = deliveryErrorOf(code);
  return { code, text: reason, permanent };
}
