import { Injectable } from '@nestjs/common';
import type { OtpAnswer } from '#contract/otp.js';
import { otpIdFromPublic } from '../rules/ids.js';
import { OtpRecordsRepository } from './otp-records.repository.js';
import { otpNotFound, otpView } from './otp-state.js';
import { testOtpView } from './test-otps.js';

/** One-time passwords, for reading. */
@Injectable()
export class Otps {
  constructor(private readonly records: OtpRecordsRepository) {}

  /** Finds a code of the account by its public id. Throws `otp_not_found`, also for another account's code. */
  async find(accountId: string, otpId: string): Promise<Omit<OtpAnswer, 'success'>> {
    const id = otpIdFromPublic(otpId);
    const record = id && (await this.records.find(accountId, id));
    if (!record) throw otpNotFound();
    return otpView(record);
  }

  /** Finds a code of test mode. Throws `otp_not_found`. */
  findTest(otpId: string): Omit<OtpAnswer, 'success'> {
    return testOtpView(otpId, new Date());
  }
}
