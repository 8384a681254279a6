import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { Config } from '../../platform/config/config.js';

/**
 * Validates X-Twilio-Signature over the public URL and the form's fields
 * (https://www.twilio.com/docs/usage/security).
 */
@Injectable()
export class TwilioSignature {
  constructor(private readonly config: Config) {}

  /** `path` includes the query, as requested; `fields` are as posted. */
  isValid(signature: string, path: string, fields: Readonly<Record<string, unknown>>): boolean {
    const url = `${this.config.http.publicUrl}${path}`;
    return this.isSigned(signature, url, fields) || this.isSignedOtherwise(signature, url, fields);
  }

  /**
   * Checks the URL as we gave it to Twilio, and every field once: one hash, where the SDK takes two
   * if the URL has a port.
   */
  private isSigned(signature: string, url: string, fields: Readonly<Record<string, unknown>>): boolean {
    let signed = url;
    for (const name of Object.keys(fields).sort()) {
      const value = fields[name];
      if (typeof value !== 'string') return false;
      signed += name + value;
    }
    const expected = Buffer.from(createHmac('sha1', this.config.twilio.authToken).update(signed).digest('base64'));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /**
   * Checks as the SDK does: with repeated fields, with and without the port, and with other
   * encodings of the query.
   */
  private isSignedOtherwise(signature: string, url: string, fields: Readonly<Record<string, unknown>>): boolean {
    // Twilio posts forms. The SDK fails on other bodies, such as deeply nested lists.
    if (
      !Object.values(fields)
        .flat()
        .every((value) => typeof value === 'string')
    )
      return false;
    return validateRequest(this.config.twilio.authToken, signature, url, { ...fields });
  }
}
