import { z } from 'zod';
import { wholeNumber } from '#contract/whole-numbers.js';
import type { CarrierFile } from '../../carriers/carrier.js';

/**
 * Maximum of files of one message that are read of a request; files beyond ten are refused one by
 * one.
 */
const FILES_MAX = 20;
const URL_CHARACTERS_MAX = 2_048;

/** Our account at Twilio, or at a simulated Twilio. */
export interface TwilioApi {
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
}

/** Hosts to which Twilio's API redirects: https://help.twilio.com/articles/223183748 */
const storageHosts: readonly string[] = ['mms.twiliocdn.com', 'media.twiliocdn.com'];
/** Host of media from before the account required authentication: a bucket in the path. */
const OLD_STORAGE_HOST = 's3-external-1.amazonaws.com';
const OLD_STORAGE_PATH = '/media.twiliocdn.com/';

/**
 * Returns the headers for one of Twilio's URLs of media; undefined for other URLs. Only our
 * account's part of the API gets our credentials.
 */
export function mediaHeaders(
  url: URL,
  { url: apiUrl, accountSid, authToken }: TwilioApi,
): Record<string, string> | undefined {
  if (url.origin === new URL(apiUrl).origin) {
    if (!url.pathname.startsWith(`/2010-04-01/Accounts/${accountSid}/`)) return undefined;
    return { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` };
  }
  if (url.protocol !== 'https:' || url.port !== '') return undefined;
  if (storageHosts.includes(url.hostname)) return {};
  return url.hostname === OLD_STORAGE_HOST && url.pathname.startsWith(OLD_STORAGE_PATH) ? {} : undefined;
}

const count = wholeNumber(0, Number.MAX_SAFE_INTEGER).catch(0);
const given = z.string().min(1).max(URL_CHARACTERS_MAX);
const mediaType = z
  .string()
  .max(100)
  .regex(/^[\w.+-]+\/[\w.+-]+$/)
  .optional()
  .catch(undefined);

/**
 * Returns the files that an inbound request announces: `NumMedia`, and from 0 on `MediaUrl0`,
 * `MediaContentType0` (https://www.twilio.com/docs/messaging/guides/webhook-request). A file
 * without a usable URL counts as a file that cannot be fetched.
 */
export function filesOfRequest(fields: Readonly<Record<string, unknown>>): CarrierFile[] {
  const announced = Math.min(FILES_MAX, count.parse(fields['NumMedia'] ?? 0));
  return Array.from({ length: announced }, (_none, n) => ({
    url: given.safeParse(fields[`MediaUrl${n}`]).data ?? '',
    type: mediaType.parse(fields[`MediaContentType${n}`]),
  }));
}
