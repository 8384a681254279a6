import { Injectable } from '@nestjs/common';
import { OtpPayloads } from '../messages/otp-payloads/otp-payloads.js';
import { OtpCodesRepository } from './otp-codes.repository.js';

/** Forgets codes a day after their end, and texts that nobody took to the carrier. */
@Injectable()
export class OtpRetention {
  constructor(
    private readonly codes: OtpCodesRepository,
    private readonly otpPayloads: OtpPayloads,
  ) {}

  /** One batch of each; answers whether there may be more. */
  async run(): Promise<boolean> {
    const moreCodes = await this.codes.purge();
    const moreTexts = await this.otpPayloads.purge();
    return moreCodes || moreTexts;
  }
}
