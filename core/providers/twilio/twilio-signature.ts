import { Injectable } from '@nestjs/common';
import twilio from 'twilio';
import { Config } from '../../platform/config/config.js';

/** Validates X-Twilio-Signature over the public URL and the form's fields (https://www.twilio.com/docs/usage/security). */
@Injectable()
export class TwilioSignature {
  constructor(private readonly config: Config) {}

  /** `path` includes the query, as requested; `fields` are as posted. */
  isValid(signature: string, path: string, fields: object): boolean {
    // Twilio posts forms. The SDK fails on other bodies, such as deeply nested lists.
    if (
      !Object.values(fields)
        .flat()
        .every((value) => typeof value === 'string')
    )
      return false;
    const url = `${this.config.http.publicUrl}${path}`;
    return twilio.validateRequest(this.config.twilio.authToken, signature, url, { ...fields });
  }
}
