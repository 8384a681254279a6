import { Injectable } from '@nestjs/common';
import { SealedTexts } from '../messages/otp-payloads/sealed-texts.js';
import { OtpCodesRepository } from './otp-codes.repository.js';

/** Forgets codes a day after their end, and texts that nobody took to the carrier. */
@Injectable()
export class OtpHousekeeping {
  constructor(
    private readonly codes: OtpCodesRepository,
    private readonly sealedTexts: SealedTexts,
  ) {}

  /** One batch of each; answers whether there may be more. */
  async run(): Promise<boolean> {
    const moreCodes = await this.codes.purge();
    const moreTexts = await this.sealedTexts.purge();
    return moreCodes || moreTexts;
  }
}
