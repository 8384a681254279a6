import { type CarrierCodes, type FailureClass, remedies } from './carrier-codes.js';

/** Statuses that concern our account or our bind, whatever the message is. */
const aboutAccount = [0x04, 0x0d, 0x0e, 0x0f, 0x53, 0x100, 0x101, 0x102, 0x103];

/**
 * Statuses of what the peer does not support, or of fields that we set and no customer sets.
 * Another carrier may take the message.
 */
const aboutRoute = [
  0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x15, 0x42, 0x43, 0x45, 0x54, 0x61, 0x62, 0x63, 0x64, 0x66, 0xc0, 0xc1, 0xc2,
  0xc3, 0xc4, 0xff,
];

/** Statuses about the sender, a number or name. */
const aboutSender = [0x0a, 0x48, 0x49];

const classed = (codes: readonly number[], failure: FailureClass) =>
  Object.fromEntries(codes.map((code) => [code, { class: failure }] as const));

/**
 * Command statuses that a submit_sm or a bind can be answered with: SMPP 3.4, section 5.1.3, and
 * the four of SMPP 5.0 that peers of 3.4 use too. Statuses from 0x400 on differ by peer, so they
 * are unknown.
 */
export const smppCodes: CarrierCodes = {
  ...classed(aboutAccount, 'account'),
  ...classed(aboutRoute, 'route'),
  ...classed(aboutSender, 'sender'),
  0x14: { class: 'throttle' },
  0x58: { class: 'throttle' },
  0x01: {
    class: 'content',
    reason: 'Text too long for the carrier',
    meaning: 'The carrier does not take a message of this length.',
    permanent: true,
    remedy: 'Send a shorter text.',
  },
  0x0b: {
    class: 'number',
    reason: 'Invalid number',
    meaning: 'The carrier does not accept the number as one that messages can be sent to.',
    permanent: true,
    remedy: remedies.removeNumber,
  },
  0x50: { class: 'number' },
  0x51: { class: 'number' },
  0x65: {
    class: 'content',
    reason: 'Refused by the receiver',
    meaning: 'The carrier or the receiving network refused this message for good.',
    permanent: true,
    remedy: 'Check the number and the text. If both are right, write to support with the id of the message.',
  },
  0xfe: {
    class: 'number',
    reason: 'Delivery failed',
    meaning: 'The network could not deliver the message to this number.',
    permanent: false,
    remedy: 'Send it again later. A number that fails for days is probably not in use any more.',
  },
  0x104: { class: 'content' },
};

/**
 * `err` and network_error_code of receipts, which have nothing to do with command statuses. Each
 * center has its own codes; most use the network's, 3GPP TS 29.002, section 17.6.6. The codes here
 * are faults of a network (facilityNotSupported, systemFailure, dataMissing, unexpectedDataValue),
 * whatever the phone is; they have no explanation, because a center may mean something else.
 */
export const smppNetworkCodes: CarrierCodes = classed([21, 34, 35, 36], 'route');
