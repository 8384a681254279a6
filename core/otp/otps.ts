import { Injectable } from '@nestjs/common';
import type { OtpAnswer } from '#contract/otp.js';
import { otpIdFromPublic, publicOtpId } from '../rules/ids.js';
import { OtpRecordsRepository } from './otp-records.repository.js';
import { GuardRepository } from './guard/guard.repository.js';
import { blockedOtpView, otpNotFound, otpView } from './otp-state.js';
import { testOtpView } from './test-otps.js';

/** One-time passwords, for reading. */
@Injectable()
export class Otps {
  constructor(
    private readonly records: OtpRecordsRepository,
    private readonly guard: GuardRepository,
  ) {}

  /** Finds a code of the account, or a refusal of the fraud guard, by its public id. Throws `otp_not_found`, also for another account's code. */
  async find(accountId: string, otpId: string): Promise<Omit<OtpAnswer, 'success'>> {
    const id = otpIdFromPublic(otpId);
    const record = id && (await this.records.find(accountId, id));
    if (record) return otpView(record);
    const block = id && (await this.guard.findBlock(accountId, id));
    if (!block) throw otpNotFound();
    return blockedOtpView(block);
  }

  /** The public id of the newest code with this reference; undefined when there is none. */
  async newestOf(accountId: string, reference: string): Promise<string | undefined> {
    const id = await this.records.newestOf(accountId, reference);
    return id && publicOtpId(id);
  }

  /** Finds a code of test mode. Throws `otp_not_found`. */
  findTest(otpId: string): Omit<OtpAnswer, 'success'> {
    return testOtpView(otpId, new Date());
  }
}
