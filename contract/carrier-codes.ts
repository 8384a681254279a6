/**
 * The number of each carrier in stored messages. A number is never given to another carrier. `smpp`
 * stands for what all SMPP binds have in common; each bind has a number of its own.
 */
export const carrierNumbers = { twilio: 1, telnyx: 2, smpp: 3 } as const;

/** The numbers that SMPP binds can have. */
export const bindNumbers = { first: 10, last: 32_767 } as const;

/**
 * What a carrier's code is about, which decides what becomes of the message. `number` and `content`
 * end it; `opted_out` ends it and stores the opt-out; `sender` concerns the number that it was sent
 * from; `route`, `account` and `throttle` the carrier alone. `unknown` counts as `number`.
 */
export const failureClasses = [
  'number',
  'content',
  'opted_out',
  'sender',
  'route',
  'account',
  'throttle',
  'unknown',
] as const;
export type FailureClass = (typeof failureClasses)[number];

/** Whether another carrier may get a message that failed so. */
export function mayChangeRoute(failure: FailureClass): boolean {
  return failure === 'route' || failure === 'account' || failure === 'throttle';
}

/** What a code means for the sender of a message. */
export interface Explanation {
  /** A few words for a table. */
  readonly reason: string;
  /** What happened, as one or two sentences. */
  readonly meaning: string;
  /** Whether the same message to the same number would fail again. */
  readonly permanent: boolean;
  /** What the sender can do. */
  readonly remedy: string;
}

/** A carrier's code: its class, and its explanation if we are sure of one. */
export type CarrierCode = { readonly class: FailureClass } & (Explanation | { readonly reason?: undefined });

/** The codes of one carrier. */
export type CarrierCodes = Readonly<Record<number, CarrierCode>>;

/** What senders can do about several codes. */
export const remedies = {
  correctNumber: 'Correct the number. Write it with + and the country code.',
  removeNumber: 'Remove the number from your list, or ask the person for another one.',
  changeText: 'Change the text: name yourself, avoid shortened links, and write only to people who agreed to it.',
  spreadSends: 'Send it again later, and spread large sends over a longer time.',
  notYours: 'Nothing is wrong with your message. Send it again later, and tell support if it goes on.',
  writeToSupport: 'Write to support: only the operator of this service can change it.',
} as const;
