import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import { AcceptMessage, type MessageRequest, type PreparedMessage } from '../messages/send/accept-message.js';
import type { AcceptedMessage } from '../messages/send/accepted-message.js';
import { asRefusal } from '../messages/send/decision.js';
import { messageIdFromPublic, publicOtpId } from '../rules/ids.js';
import { nextResendAt } from '../rules/otp.js';
import { FraudGuard } from './guard/fraud-guard.js';
import type { GuardRefusal } from './guard/guard-rules.js';
import { OtpRecordsRepository, type OtpMessage } from './otp-records.repository.js';
import { type AcceptedStep, CountSteps } from './steps/count-steps.js';
import { progressOf } from './steps/otp-plan.js';
import type { SentCode } from './test-otps.js';

export type SentOtp = AcceptedMessage & SentCode;

/** A message to be accepted, its code, and its reservation. */
export interface Prepared {
  readonly message: PreparedMessage;
  readonly code: SentCode;
  /** Removes the reservation; undefined in test mode, which reserves nothing. */
  readonly release: (() => Promise<void>) | undefined;
  /** Set for a code with channels. */
  readonly step?: AcceptedStep | undefined;
}

/** A message that the fraud guard refuses. */
export interface Blocked {
  readonly refusal: GuardRefusal;
  readonly accountId: string;
  readonly recipient: string;
}

/**
 * Passes a message with a code to {@link AcceptMessage}, whose errors it throws too, and removes the
 * reservation of a message that is refused.
 */
@Injectable()
export class AcceptOtp {
  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly records: OtpRecordsRepository,
    private readonly guard: FraudGuard,
    private readonly countSteps: CountSteps,
    private readonly logger: Logger,
  ) {}

  /** Accepts the message that is prepared; removes its reservation if it was not accepted. */
  async accept(
    request: MessageRequest,
    fields: readonly unknown[],
    prepare: () => Promise<Prepared | Blocked | DomainError>,
  ): Promise<SentOtp> {
    const made: { prepared?: Prepared; blocked?: Blocked } = {};
    try {
      const accepted = await this.acceptMessage.accept(request, fields, async () => {
        const prepared = await prepare().catch(asRefusal);
        if (prepared instanceof DomainError) return prepared;
        if ('refusal' in prepared) {
          made.blocked = prepared;
          return prepared.refusal;
        }
        made.prepared = prepared;
        return prepared.message;
      });
      if (made.prepared && !accepted.replayed) {
        await this.afterAccepting(made.prepared);
        return { ...accepted, ...made.prepared.code };
      }
      if (made.prepared) await this.release(made.prepared);
      return { ...accepted, ...(await this.codeOf(accepted.messageId)) };
    } catch (error) {
      // After `unavailable` the message may have been accepted, so its code has to stay valid.
      const isUnknown = error instanceof DomainError && error.code === 'unavailable';
      if (made.prepared && !isUnknown) await this.release(made.prepared);
      throw made.blocked && error === made.blocked.refusal ? await this.block(made.blocked, request.reference) : error;
    }
  }

  /** Records a refusal of the fraud guard, and returns the error that names it. */
  private async block({ refusal, ...about }: Blocked, reference: string | undefined): Promise<DomainError> {
    const { code, detail, figures, retryAfterSeconds } = refusal;
    const otpId = await this.guard.block({ ...about, reference, figures });
    const { rule, sent, verified } = figures;
    const facts = { otp_id: otpId, guard: { rule, sent, verified } };
    return new DomainError(code, detail, { facts, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
  }

  /** Returns the code of an earlier message, as described in its answer. */
  private async codeOf(publicMessageId: string): Promise<SentCode> {
    const messageId = messageIdFromPublic(publicMessageId) ?? '';
    const [message] = await this.records.messages([messageId]);
    if (!message) throw new Error('The code of an accepted message is missing');
    return sentCode(message);
  }

  /** A step whose start is not noted is looked at again when its lease is over. */
  private async afterAccepting({ message, step }: Prepared): Promise<void> {
    if (!step) return;
    try {
      await this.countSteps.accepted(step, message);
    } catch (err) {
      this.logger.warn({ err, messageId: message.id }, 'step of a code left to be noted later');
    }
  }

  /** A reservation that cannot be removed was never sent, and expires. */
  private async release({ message, release }: Prepared): Promise<void> {
    try {
      await release?.();
    } catch (err) {
      this.logger.warn({ err, messageId: message.id }, 'code of a refused message left to expire');
    }
  }
}

/** Describes a code as the answer does. */
export function sentCode(
  sent: Pick<
    OtpMessage,
    'otpId' | 'resends' | 'sentAt' | 'expiresAt' | 'attemptsLeft' | 'isManaged' | 'plan' | 'step' | 'stepAt'
  >,
): SentCode {
  const { otpId, expiresAt, isManaged, plan, step, stepAt } = sent;
  const progress = plan && step !== null ? progressOf(plan, step, { stepAt, expiresAt }) : undefined;
  const about = { otpId: publicOtpId(otpId), expiresAt, isManaged, progress };
  if (!isManaged) return { ...about, nextResendAt: undefined, attemptsLeft: 0 };
  return { ...about, nextResendAt: nextResendAt(sent), attemptsLeft: sent.attemptsLeft ?? limits.otpTriesMax };
}
