import { createHmac } from 'node:crypto';

/** X-Twilio-Signature: HMAC-SHA1 in base64 over the URL, then every name and value, sorted by name (Twilio's webhook security page). */
export function twilioSignature(authToken: string, url: string, fields: Record<string, string>): string {
  let signed = url;
  for (const name of Object.keys(fields).sort()) signed += name + fields[name];
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}
