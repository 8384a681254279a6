import { parsedUrl } from '../http.js';
import { foreignFrom, invalidFrom, invalidTo, magicNumberError, TwilioError, unsubscribed } from './twilio-error.js';
import { FILES_MAX } from '../carriers/message-files.js';
import type { OptOuts } from '../carriers/opt-outs.js';
import type { NumberStore } from '../carriers/numbers/number-store.js';
import { phoneNumber, senderAddress } from '../carriers/phone-numbers.js';

/** The sender of every messaging service: Twilio's magic number that passes all checks. */
export const SERVICE_SENDER = '+15005550006';

const BODY_CHARACTERS_MAX = 1600;
const VALIDITY_SECONDS_MAX = 36_000;
const SERVICE_SID = /^MG[0-9a-f]{32}$/i;

export interface CreateRequest {
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  readonly messagingServiceSid: string | null;
  readonly statusCallback: string | null;
  /** Seconds; null for Twilio's default. */
  readonly validityPeriod: number | null;
}

/** Validates a create request in Twilio's order. Throws TwilioError. */
export function parseCreateRequest(
  form: URLSearchParams,
  { optOuts, numbers }: { readonly optOuts: OptOuts; readonly numbers: NumberStore },
): CreateRequest {
  const givenTo = form.get('To') ?? '';
  if (givenTo.trim() === '') throw new TwilioError(21604, "A 'To' phone number is required.");
  const { from, messagingServiceSid } = parseSender(form);
  const mediaUrls = parseMediaUrls(form.getAll('MediaUrl'));
  const body = parseBody(form.get('Body') ?? '', mediaUrls.length > 0);
  const magic = magicNumberError(from, givenTo);
  if (magic !== undefined) throw magic;
  if (!numbers.mayBeSender('twilio', from)) throw foreignFrom(from);
  const to = phoneNumber(givenTo);
  if (to === null) throw invalidTo(givenTo);
  if (optOuts.has(to, from)) throw unsubscribed();
  const validityPeriod = parseValidity(form.get('ValidityPeriod'));
  const statusCallback = parseCallback(form.get('StatusCallback'));
  return { to, from, body, mediaUrls, messagingServiceSid, statusCallback, validityPeriod };
}

function parseSender(form: URLSearchParams): { from: string; messagingServiceSid: string | null } {
  const from = form.get('From') ?? '';
  const messagingServiceSid = parseService(form.get('MessagingServiceSid') ?? '');
  if (from.trim() === '') {
    if (messagingServiceSid === null) throw new TwilioError(21603, "A 'From' phone number is required.");
    return { from: SERVICE_SENDER, messagingServiceSid };
  }
  const address = senderAddress(from);
  if (address === null) throw invalidFrom(from);
  return { from: address, messagingServiceSid };
}

/** Parses the sid of a messaging service; null without one. Throws TwilioError. */
export function parseService(given: string): string | null {
  if (given === '') return null;
  if (!SERVICE_SID.test(given)) throw new TwilioError(21701, 'The Messaging Service does not exist', 404);
  return given;
}

function parseMediaUrls(given: readonly string[]): string[] {
  const urls = given.filter((url) => url !== '');
  if (urls.length > FILES_MAX) throw new TwilioError(21623, 'Number of media files exceeds allowed limit');
  if (!urls.every((url) => /^https?:\/\//i.test(url) && parsedUrl(url)))
    throw new TwilioError(21620, 'Invalid media URL(s)');
  return urls;
}

/** Throws TwilioError for a text that is missing or too long. */
export function parseBody(body: string, hasMedia: boolean): string {
  if (body === '' && !hasMedia) throw new TwilioError(21602, 'Message body is required.');
  if (body.length > BODY_CHARACTERS_MAX) {
    throw new TwilioError(21617, 'The concatenated message body exceeds the 1600 character limit');
  }
  return body;
}

/** Twilio takes 1 to 36,000 seconds. */
function parseValidity(text: string | null): number | null {
  if (text === null || text === '') return null;
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > VALIDITY_SECONDS_MAX)
    throw new TwilioError(20001, `'ValidityPeriod' must be a whole number from 1 to ${VALIDITY_SECONDS_MAX}`);
  return seconds;
}

/** Parses the address for status callbacks; null without one. Throws TwilioError. */
export function parseCallback(url: string | null): string | null {
  if (url === null || url === '') return null;
  if (!/^https?:\/\//i.test(url) || !parsedUrl(url)) {
    throw new TwilioError(21609, `The 'StatusCallback' URL ${url} is not a valid URL`);
  }
  return url;
}
