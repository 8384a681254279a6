import type { FileProblem } from '../carriers/message-files.js';

/** An error answer of Twilio's API. */
export class TwilioError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }

  get body(): { code: number; message: string; more_info: string; status: number } {
    return {
      code: this.code,
      message: this.message,
      more_info: `https://www.twilio.com/docs/errors/${this.code}`,
      status: this.status,
    };
  }
}

export const JSON_TYPE = 'application/json;charset=utf-8';

export function unauthenticated(): TwilioError {
  return new TwilioError(20003, 'Authenticate', 401);
}

export function notFound(url: string): TwilioError {
  return new TwilioError(20404, `The requested resource ${url.replace(/\?.*$/s, '')} was not found`, 404);
}

/** The error of an undelivered message, in its status callback and resource. */
export const UNDELIVERED_CODE = 30003;
export const UNDELIVERED_TEXT = 'Unreachable destination handset';
/** The error of a message that is taken for spam. */
export const FILTERED_CODE = 30007;

/** The errors of a message whose files could not be fetched. */
export const FILE_CODES: Readonly<Record<FileProblem, number>> = {
  not_fetched: 11200,
  wrong_type: 12300,
  too_large: 11751,
};
const texts: Readonly<Record<number, string>> = {
  [UNDELIVERED_CODE]: UNDELIVERED_TEXT,
  [FILTERED_CODE]: 'Message filtered',
  11200: 'HTTP retrieval failure',
  12300: 'Invalid Content-Type',
  63003: 'Channel could not find To address',
  63016:
    'Failed to send freeform message because you are outside the allowed window. If you are using ' +
    'WhatsApp, please use a Message Template.',
  63024: 'Invalid message recipient',
  63028: 'Number of parameters provided does not match the expected number of parameters',
  63041: 'Template Paused',
  11751: "MMS -> Media exceeds messaging provider's size limit",
};

/** Twilio's text for the error of a message; null for an error without a text. */
export function errorTextOf(code: number): string | null {
  return texts[code] ?? null;
}

/** Twilio's magic numbers that fail as a sender; +15005550006 always succeeds. */
const failingSenders: Record<string, () => TwilioError> = {
  '+15005550001': () => invalidFrom('+15005550001'),
  '+15005550007': () =>
    new TwilioError(
      21606,
      "The 'From' phone number provided (+15005550007) is not a valid message-capable Twilio phone " +
        'number for this destination.',
    ),
  '+15005550008': () =>
    new TwilioError(21611, "This 'From' number has exceeded the maximum number of queued messages: +15005550008"),
};

const failingRecipients: Record<string, () => TwilioError> = {
  '+15005550001': () => invalidTo('+15005550001'),
  '+15005550002': unroutable,
  '+15005550003': () =>
    new TwilioError(
      21408,
      "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: +15005550003",
    ),
  '+15005550004': unsubscribed,
  '+15005550009': () => new TwilioError(21614, "'To' number is not a valid mobile number: +15005550009"),
};

/** Returns the error of a magic number, undefined for other numbers. */
export function magicNumberError(from: string | null, to: string): TwilioError | undefined {
  return (from === null ? undefined : failingSenders[from]?.()) ?? failingRecipients[to]?.();
}

export function invalidTo(to: string): TwilioError {
  return new TwilioError(21211, `The 'To' number ${to} is not a valid phone number.`);
}

export function invalidFrom(from: string): TwilioError {
  return new TwilioError(
    21212,
    `The 'From' number ${from} is not a valid phone number, shortcode, or alphanumeric sender ID.`,
  );
}

/** The error for a sender that is sold, but not the product's. */
export function foreignFrom(from: string): TwilioError {
  return new TwilioError(
    21660,
    `Mismatch between the 'From' number ${from} and the account AccountSid: the number does not belong to it`,
  );
}

export function unroutable(): TwilioError {
  return new TwilioError(21612, "Message cannot be sent with the current combination of 'To' and/or 'From' parameters");
}

export function unsubscribed(): TwilioError {
  return new TwilioError(21610, 'Attempt to send to unsubscribed recipient');
}
