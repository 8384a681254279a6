import { createHmac } from 'node:crypto';
import { accountSidOf } from '#contract/account.js';
import { isNetworkCode } from '#contract/delivery-errors.js';
import { publicMessageId } from '../../rules/ids.js';

const TWILIO_API_VERSION = '2010-04-01';
/** Twilio's code of an undelivered message for which the carrier gave no code. */
const UNKNOWN_ERROR = 30_008;
const VALIDITY_EXPIRED = 30_036;

/** A change of state as stored in the delivery's row. */
interface StatusBody {
  readonly message_id: string;
  readonly to: string;
  readonly from: string | null;
  readonly status: string;
  readonly error_code: string | null;
  readonly carrier_error: number | null;
}

/**
 * Returns Twilio's error code of a message; null unless it ended undelivered
 * (https://www.twilio.com/docs/api/errors).
 */
export function twilioErrorCode({
  status,
  error_code: errorCode,
  carrier_error: carrierError,
}: Pick<StatusBody, 'status' | 'error_code' | 'carrier_error'>): number | null {
  if (status !== 'failed' && status !== 'undelivered') return null;
  const known = isNetworkCode(errorCode, carrierError) ? null : carrierError;
  return known ?? (errorCode === 'expired' ? VALIDITY_EXPIRED : UNKNOWN_ERROR);
}

/**
 * Returns the parameters of a status callback
 * (https://www.twilio.com/docs/messaging/guides/track-outbound-message-status).
 */
export function twilioParameters(accountId: string, body: string): Record<string, string> {
  const fields = JSON.parse(body) as StatusBody;
  const { message_id: messageId, to, from, status } = fields;
  const sid = publicMessageId(messageId);
  const errorCode = twilioErrorCode(fields);
  return {
    SmsSid: sid,
    SmsStatus: status,
    MessageStatus: status,
    To: to,
    MessageSid: sid,
    AccountSid: accountSidOf(accountId),
    From: from ?? '',
    ApiVersion: TWILIO_API_VERSION,
    ...(errorCode !== null && { ErrorCode: String(errorCode) }),
  };
}

/**
 * Signs parameters as Twilio does (https://www.twilio.com/docs/usage/security#validating-requests).
 */
export function twilioSignature(key: string, url: string, parameters: Readonly<Record<string, string>>): string {
  const names = Object.keys(parameters).sort();
  const signed = names.reduce((text, name) => `${text}${name}${parameters[name]}`, url);
  return createHmac('sha1', key).update(signed).digest('base64');
}

/** The URL that the receiver sees: normalized, without a fragment, user name and password. */
export function calledUrl(url: string): string {
  const called = new URL(url);
  called.hash = '';
  called.username = '';
  called.password = '';
  return called.href;
}

/** Separates an API key and `user:password`; neither contains it. */
const SEPARATOR = '\0';

/**
 * Returns the text to encrypt for a callback: the API key, and the user name and password of its
 * URL.
 */
export function sealedSecret(keyText: string, credentials: string | undefined): string {
  return credentials === undefined ? keyText : `${keyText}${SEPARATOR}${credentials}`;
}

/**
 * Returns the API key of {@link sealedSecret}, and the header of Basic authorization (RFC 7617) if
 * the URL had a user name or password.
 */
export function openedSecret(sealed: string): { readonly key: string; readonly headers: Record<string, string> } {
  const [key = '', credentials] = sealed.split(SEPARATOR, 2);
  if (credentials === undefined) return { key, headers: {} };
  return { key, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

/**
 * Identifies a secret by the hash of the API key, or of key, user name and password, which only the
 * key's text can test.
 */
export function secretHash(keyHash: Buffer, keyText: string, credentials: string | undefined): Buffer {
  return credentials === undefined ? keyHash : createHmac('sha256', keyText).update(credentials).digest();
}

/**
 * Signs a reply as Textbelt does: HMAC-SHA256 over the timestamp and the body
 * (https://docs.textbelt.com).
 */
export function textbeltHeaders(key: string, body: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return {
    'x-textbelt-timestamp': timestamp,
    'x-textbelt-signature': createHmac('sha256', key).update(timestamp).update(body).digest('hex'),
  };
}
