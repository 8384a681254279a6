import { invalidFrom, invalidTo, magicNumberError, unsubscribed } from './magic-numbers.js';
import type { OptOuts } from './opt-outs.js';
import { phoneNumber, senderAddress } from './phone-number.js';
import { TwilioError } from './twilio-error.js';
import { parsedUrl } from '../parsed-url.js';

/** The number from which a messaging service sends here; Twilio's own magic number that passes every check. */
export const SERVICE_SENDER = '+15005550006';

const BODY_CHARACTERS_MAX = 1600;
const SERVICE_SID = /^MG[0-9a-f]{32}$/i;

/** A create request that Twilio would accept. */
export interface CreateRequest {
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly messagingServiceSid: string | null;
  readonly statusCallback: string | null;
}

/** Checks the form of a create in Twilio's order. Throws TwilioError. */
export function parseCreateRequest(form: URLSearchParams, optOuts: OptOuts): CreateRequest {
  const givenTo = form.get('To') ?? '';
  if (givenTo.trim() === '') throw new TwilioError(21604, "A 'To' phone number is required.");
  const { from, messagingServiceSid } = parseSender(form);
  const body = parseBody(form.get('Body') ?? '');
  const magic = magicNumberError(from, givenTo);
  if (magic !== undefined) throw magic;
  const to = phoneNumber(givenTo);
  if (to === null) throw invalidTo(givenTo);
  if (optOuts.has(to, from)) throw unsubscribed();
  return { to, from, body, messagingServiceSid, statusCallback: parseCallback(form.get('StatusCallback')) };
}

function parseSender(form: URLSearchParams): { from: string; messagingServiceSid: string | null } {
  const from = form.get('From') ?? '';
  const service = form.get('MessagingServiceSid') ?? '';
  if (service !== '' && !SERVICE_SID.test(service)) {
    throw new TwilioError(21701, 'The Messaging Service does not exist', 404);
  }
  if (from.trim() === '') {
    if (service === '') throw new TwilioError(21603, "A 'From' phone number is required.");
    return { from: SERVICE_SENDER, messagingServiceSid: service };
  }
  const address = senderAddress(from);
  if (address === null) throw invalidFrom(from);
  return { from: address, messagingServiceSid: service === '' ? null : service };
}

function parseBody(body: string): string {
  if (body === '') throw new TwilioError(21602, 'Message body is required.');
  if (body.length > BODY_CHARACTERS_MAX) {
    throw new TwilioError(21617, 'The concatenated message body exceeds the 1600 character limit');
  }
  return body;
}

function parseCallback(url: string | null): string | null {
  if (url === null || url === '') return null;
  if (!/^https?:\/\//i.test(url) || !parsedUrl(url)) {
    throw new TwilioError(21609, `The 'StatusCallback' URL ${url} is not a valid URL`);
  }
  return url;
}
