import { Injectable } from '@nestjs/common';
import twilio from 'twilio';
import { Config } from '../../platform/config/config.js';

/** X-Twilio-Signature over the public URL and the form's fields (https://www.twilio.com/docs/usage/security). */
@Injectable()
export class TwilioSignature {
  constructor(private readonly config: Config) {}

  /** `path` with its query, as it was requested; `fields` as they were posted. */
  isValid(signature: string, path: string, fields: object): boolean {
    // Twilio posts forms. What else a body may hold, such as lists in lists without end, its SDK cannot digest.
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
