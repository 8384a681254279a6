/**
 * The number of each carrier in stored messages. A number is never given to another carrier. `smpp`
 * stands for the common properties of all SMPP binds; each bind has its own number. `whatsapp`,
 * `voice` and `email` carry one-time passwords only.
 */
export const carrierNumbers = { twilio: 1, telnyx: 2, smpp: 3, whatsapp: 4, voice: 5, email: 6 } as const;

/** The numbers that SMPP binds can have. */
export const bindNumbers = { first: 10, last: 32_767 } as const;

/**
 * Subject of a carrier's code, which decides the fate of the message. `number` and `content` end
 * the message; `opted_out` ends it and stores the opt-out; `sender` concerns the number that sent
 * it; `route`, `account` and `throttle` concern only the carrier. `unknown` counts as `number`.
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

/** Returns whether another carrier may get a message that failed like this. */
export function mayChangeRoute(failure: FailureClass): boolean {
  return failure === 'route' || failure === 'account' || failure === 'throttle';
}

/** Meaning of a code for the sender of a message. */
export interface Explanation {
  /** A few words for a table. */
  readonly reason: string;
  /** One or two sentences that tell what happened. */
  readonly meaning: string;
  /** True if the same message to the same number would fail again. */
  readonly permanent: boolean;
  /** Advice for the sender. */
  readonly remedy: string;
}

/** A carrier's code: its class, and its explanation if we are sure of one. */
export type CarrierCode = { readonly class: FailureClass } & (Explanation | { readonly reason?: undefined });

export type CarrierCodes = Readonly<Record<number, CarrierCode>>;

/** Advice that several codes share. */
export const remedies = {
  correctNumber: 'Correct the number. Write it with + and the country code.',
  removeNumber: 'Remove the number from your list, or ask the person for another one.',
  changeText: 'Change the text: name yourself, avoid shortened links, and write only to people who agreed to it.',
  spreadSends: 'Send it again later, and spread large sends over a longer time.',
  notYours: 'Nothing is wrong with your message. Send it again later, and tell support if it goes on.',
  writeToSupport: 'Write to support: only the operator of this service can change it.',
} as const;
