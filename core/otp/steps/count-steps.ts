import { Injectable } from '@nestjs/common';
import type { PricedMessage } from '../../messages/send/price.js';
import { Postgres } from '../../platform/database/postgres.js';
import { channelOf } from '../../rules/otp-channels.js';
import { OtpStepsRepository } from './otp-steps.repository.js';
import type { ReservedStep } from './otp-plan.js';

/** A step whose message was accepted. */
export interface AcceptedStep {
  readonly accountId: string;
  readonly otpId: string;
  /** Undefined for the first step, whose code is new and has the time of the next one. */
  readonly begun: ReservedStep | undefined;
  readonly createdAt: Date;
}

/** Notes steps that were accepted: when the next one begins, and in the counts of channels. */
@Injectable()
export class CountSteps {
  constructor(
    private readonly postgres: Postgres,
    private readonly steps: OtpStepsRepository,
  ) {}

  /** Counts a step, and sets the time of the next one, unless a channel has sent the code again. */
  async accepted({ accountId, otpId, begun, createdAt }: AcceptedStep, { price }: PricedMessage): Promise<void> {
    if (begun?.isNew === true) {
      const { plan, place, step } = begun;
      await this.steps.setNext(otpId, place, plan.plan[place] && step.waitSeconds);
    }
    const { recipient, country } = price;
    const counted = { accountId, country, channel: channelOf(recipient), createdAt };
    await this.postgres.transaction((tx) => this.steps.count(tx, [counted], { sent: 1 }));
  }
}
