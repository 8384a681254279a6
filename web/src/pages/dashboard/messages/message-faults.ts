/** What our error codes of a message mean. */
const faults: Readonly<Record<string, string>> = {
  daily_limit: 'The daily limit of your account was reached before it could be sent.',
  account_blocked: 'Your account was blocked before it could be sent.',
  carrier_refused: 'The carrier did not take it.',
  carrier_unavailable: 'The carrier could not be reached for too long.',
  not_delivered: 'The carrier could not deliver it.',
  expired: 'The one-time password had expired before it could be sent.',
};

/** The carrier's codes that customers meet (https://www.twilio.com/docs/api/errors). */
const carrierFaults: Readonly<Record<number, string>> = {
  21211: 'The number is not a valid one.',
  21408: 'Messages to this country are not permitted.',
  21610: 'The recipient has opted out.',
  21612: 'The number cannot be reached from ours.',
  21614: 'The number is not one of a mobile phone.',
  30001: 'Too much was waiting at the carrier.',
  30003: 'The phone is switched off or out of reach.',
  30004: 'The recipient blocks messages.',
  30005: 'The number is unknown or no longer in use.',
  30006: 'The number is a landline, or its network takes no messages.',
  30007: 'The network took it for spam.',
  30008: 'The network did not say why.',
};

/** Why a message did not arrive, for people. */
export function faultText(error: string, carrierError: number | null): string {
  const ours = faults[error] ?? `It failed with the code ${error}.`;
  const theirs = carrierError === null ? undefined : carrierFaults[carrierError];
  return theirs ? `${ours} ${theirs}` : ours;
}

/** Where the carrier explains its code. */
export function carrierErrorUrl(carrierError: number): string {
  return `https://www.twilio.com/docs/api/errors/${carrierError}`;
}
