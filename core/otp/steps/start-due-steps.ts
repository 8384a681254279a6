import { Injectable } from '@nestjs/common';
import type { MessageStatus } from '#contract/messages.js';
import { StatusUpdates, type Transition } from '../../messages/status/status-updates.js';
import { eachDueRow } from '../../platform/durable-work/durable-work.js';
import { Every } from '../../platform/schedules/every.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { BeginStep } from './begin-step.js';
import { type DueStep, OtpStepsRepository, STEPS_TAKEN_MAX } from './otp-steps.repository.js';

const STARTED_EVERY_MS = 1_000;
const AT_ONCE_MAX = 20;

/** Work on a step that is due: begin the next step, resume what a crash has left, wait some seconds, or end. */
export type DueWork =
  | { readonly kind: 'next' | 'resume' | 'end' }
  | { readonly kind: 'wait'; readonly seconds: number };

/**
 * Begins the next steps of codes that were not entered in time: one statement a second finds them for all accounts. The
 * failure of a message makes the next step due at once.
 */
@Injectable()
export class StartDueSteps {
  constructor(
    private readonly steps: OtpStepsRepository,
    private readonly beginStep: BeginStep,
    private readonly logger: Logger,
    statusUpdates: StatusUpdates,
  ) {
    statusUpdates.onFailedSteps((failed) => this.hasten(failed));
  }

  /** Returns whether there may be more. */
  @Every({ name: 'otp steps', everyMs: STARTED_EVERY_MS, whileMore: true })
  async run(): Promise<boolean> {
    const due = await this.steps.takeDue();
    const work = { name: 'steps of codes', logger: this.logger, atOnceMax: AT_ONCE_MAX };
    await eachDueRow(due, work, (step) => this.look(step));
    return due.length === STEPS_TAKEN_MAX;
  }

  private async look(due: DueStep): Promise<void> {
    const { id, accountId, step, messageId } = due;
    const work = dueWorkOf(due);
    switch (work.kind) {
      case 'next':
        return this.beginStep.begin(accountId, id, step);
      case 'resume':
        return messageId === null
          ? this.steps.setNext(id, step, undefined)
          : this.beginStep.resume(accountId, id, messageId);
      case 'wait':
        return this.steps.setNext(id, step, work.seconds);
      case 'end':
        return this.steps.setNext(id, step, undefined);
    }
  }

  /** If this fails, the step's wait still ends. */
  private async hasten(failed: readonly Transition[]): Promise<void> {
    try {
      await this.steps.hasten(failed.map(({ id }) => id));
    } catch (err) {
      this.logger.warn({ err, messages: failed.length }, 'next steps of codes not hastened');
    }
  }
}

const failures: readonly (MessageStatus | null)[] = ['failed', 'undelivered', 'canceled'];

/**
 * Decides about a step whose time is over. A message that has reached the person ends the steps: only the caller begins
 * another one.
 */
export function dueWorkOf({
  status,
  isRefused,
  isDelivered,
  ageSeconds,
  waitSeconds,
}: Pick<DueStep, 'status' | 'isRefused' | 'isDelivered' | 'ageSeconds' | 'waitSeconds'>): DueWork {
  if (isDelivered) return { kind: 'end' };
  if (isRefused || failures.includes(status)) return { kind: 'next' };
  if (status === null) return { kind: 'resume' };
  const seconds = waitSeconds - (ageSeconds ?? 0);
  return seconds > 0 ? { kind: 'wait', seconds } : { kind: 'next' };
}
