import { z } from 'zod';
import { FILES_MAX } from '../carriers/message-files.js';
import type { NumberStore } from '../carriers/numbers/number-store.js';
import type { OptOuts } from '../carriers/opt-outs.js';
import { phoneNumber, senderAddress } from '../carriers/phone-numbers.js';
import { segmentCount } from '../carriers/segments.js';
import { parsedUrl } from '../http.js';
import { badRequest, TelnyxError } from './telnyx-error.js';

const SEGMENTS_MAX = 10;
const URL_CHARACTERS_MAX = 2_000;

/** The documented fields of a request; others are ignored. */
const sendBody = z.object({
  to: z.string().optional(),
  from: z.string().optional(),
  text: z.string().optional(),
  type: z.enum(['SMS', 'MMS']).default('SMS'),
  webhook_url: z.string().nullish(),
  media_urls: z.array(z.url()).max(FILES_MAX).optional(),
});

export interface SendRequest {
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly mediaUrls: readonly string[];
  readonly statusCallback: string | null;
}

/** Validates a request to send. Throws TelnyxError. */
export function parseSendRequest(
  given: unknown,
  { optOuts, numbers }: { readonly optOuts: OptOuts; readonly numbers: NumberStore },
): SendRequest {
  const parsed = sendBody.safeParse(given);
  if (!parsed.success) throw badRequest(`The field ${parsed.error.issues[0]?.path.join('.') || 'body'} is not valid.`);
  const { to: givenTo, from: givenFrom, text: body = '', webhook_url: url, media_urls: mediaUrls = [] } = parsed.data;
  const isMms = mediaUrls.length > 0;
  if (!givenTo) throw missing('to');
  if (!givenFrom) throw missing('from');
  const to = phoneNumber(givenTo);
  if (to === null) throw new TelnyxError('40310', "Invalid 'to' address", 'It is not a valid number.', 400, '/to');
  const from = senderAddress(givenFrom);
  if (from === null || !numbers.mayBeSender('telnyx', from))
    throw new TelnyxError('40305', "Invalid 'from' address", 'It is not a number of the profile.', 400, '/from');
  if (body === '' && !isMms)
    throw new TelnyxError('40316', 'No content provided for message', 'An SMS needs a text.', 400, '/text');
  if (!isMms && segmentCount(body) > SEGMENTS_MAX)
    throw new TelnyxError('40302', 'Message too large', `An SMS has at most ${SEGMENTS_MAX} parts.`, 400, '/text');
  if (url && (url.length > URL_CHARACTERS_MAX || !/^https?:$/.test(parsedUrl(url)?.protocol ?? '')))
    throw new TelnyxError('10003', 'Invalid URL', 'The URL is invalid or too long.', 400, '/webhook_url');
  if (optOuts.has(to, from))
    throw new TelnyxError('40300', 'Blocked due to STOP message', 'The recipient has opted out.', 400, '/to');
  return { to, from, body, mediaUrls, statusCallback: url || null };
}

function missing(field: string): TelnyxError {
  return new TelnyxError('10004', 'Missing required parameter', `The field ${field} is missing.`, 422, `/${field}`);
}
