import { createHmac } from 'node:crypto';
import { sameText } from '../credentials/same-text.js';
import type { HookRequest } from './hook-request.js';

/** How far the timestamp may be from the arrival; what receivers usually allow. */
const TOLERANCE_SECONDS = 300;
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;

/** Whether a signature holds, and why not. */
export interface HookVerdict {
  readonly holds: boolean;
  readonly reason: string;
}

/** Checks a request's signature by the Standard Webhooks scheme: HMAC-SHA256 in base64 over `{id}.{timestamp}.{body}`. */
export function verdictOn({ headers, body, bytes, at }: HookRequest, secret: string): HookVerdict {
  const no = (reason: string): HookVerdict => ({ holds: false, reason });
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((part) => headers[`webhook-${part}`] ?? '');
  const missing = [!id && 'webhook-id', !timestamp && 'webhook-timestamp', !signatures && 'webhook-signature'];
  if (missing.some(Boolean)) return no(`The request has no ${missing.filter(Boolean).join(' and no ')}.`);
  if (!/^\d{1,12}$/.test(timestamp ?? '')) return no('The webhook-timestamp is no number of seconds since 1970.');
  const [, key = ''] = SECRET.exec(secret.trim()) ?? [];
  if (key === '') return no('This is no secret: it should be whsec_ and base64.');
  if (bytes > body.length) return no('The body is too long: it was not kept whole, so it cannot be checked.');
  const expected = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  const given = (signatures ?? '').split(' ').map((signature) => /^v1,(.+)$/.exec(signature)?.[1] ?? '');
  if (!given.some((signature) => sameText(signature, expected))) {
    return no('The signature is not made with this secret, or the request was changed on its way.');
  }
  const apartSeconds = Math.abs(Date.parse(at) / 1000 - Number(timestamp));
  return apartSeconds <= TOLERANCE_SECONDS
    ? { holds: true, reason: 'The signature holds.' }
    : no(`The signature is right, but its timestamp is ${Math.round(apartSeconds)} s away from the arrival.`);
}
