import { Injectable } from '@nestjs/common';
import type { OtpChannel, OtpStepBody } from '#contract/otp-channels.js';
import { limits } from '#contract/limits.js';
import { ApiKeys } from '../keys/api-keys.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { MessageRequest } from '../messages/send/accept-message.js';
import { priceFault } from '../messages/send/caller-price.js';
import { Senders } from '../messages/senders/senders.js';
import { newMessageId, otpIdFromPublic } from '../rules/ids.js';
import type { OtpStep } from '../rules/otp-channels.js';
import { AcceptOtp, type Blocked, type Prepared, sentCode, type SentOtp } from './accept-otp.js';
import { GuardRefusal } from './guard/guard-rules.js';
import { OtpRecordsRepository, type OtpRecord } from './otp-records.repository.js';
import { otpNotFound } from './otp-state.js';
import { ReserveCode, ReserveResend } from './reserve-code.js';
import { type OtpPlan, stepAfter } from './steps/otp-plan.js';
import { type PricedPlan, PriceSteps } from './steps/price-steps.js';
import { testCodeFor, testResendOf } from './test-otps.js';

export interface SendOtpInput extends Omit<MessageRequest, 'kind'> {
  readonly to: string;
  readonly org: string | undefined;
  readonly domain: string | undefined;
  /** Characters of the code. */
  readonly digits: number;
  /** Channels in the order in which they are tried; undefined for a text message alone. */
  readonly channels?: readonly OtpStepBody[] | undefined;
  /** The most that all steps of the code may cost, in credits. */
  readonly maxCredits?: number | undefined;
  /** The code, if the caller has made it: it is sent, and is not ours to verify. */
  readonly ownCode?: string | undefined;
  /** Minutes for which the code can be verified. */
  readonly minutes: number;
  /** Network address and device of the end user who asked for the code. */
  readonly ip: string | undefined;
  readonly device: string | undefined;
}

interface ResendOtpInput extends Omit<MessageRequest, 'kind' | 'reference'> {
  /** Public id. */
  readonly otpId: string;
  /** The channel to send by; undefined for the next step of a code with channels. */
  readonly channel?: OtpChannel | undefined;
}

/**
 * Sends and resends one-time passwords: reserves a code or a resend, then passes the message to
 * {@link AcceptOtp}, whose errors it throws too.
 */
@Injectable()
export class SendOtp {
  constructor(
    private readonly acceptOtp: AcceptOtp,
    private readonly apiKeys: ApiKeys,
    private readonly reserveCode: ReserveCode,
    private readonly reserveResend: ReserveResend,
    private readonly records: OtpRecordsRepository,
    private readonly priceSteps: PriceSteps,
    private readonly senders: Senders,
  ) {}

  /**
   * Throws also `rate_limited` and `otp_suspicious` of the fraud guard, and `channel_unsupported`, `channel_disabled`
   * and `price_above_max`.
   */
  async send(input: SendOtpInput): Promise<SentOtp> {
    const { to, org, domain, digits, ownCode, minutes, ip, device, channels, maxCredits } = input;
    const endUser = ip === undefined && device === undefined ? [] : [ip ?? null, device ?? null];
    const chosen = input.timing?.hedgeSeconds === undefined ? [] : [{ hedgeSeconds: input.timing.hedgeSeconds }];
    const named = input.from === undefined ? [] : [{ from: input.from }];
    const own = ownCode === undefined ? [] : [{ code: this.reserveCode.fingerprintOf(ownCode) }];
    const ways = channels === undefined && maxCredits === undefined ? [] : [{ channels, maxCredits }];
    const others = [...endUser, ...chosen, ...named, ...own, ...ways];
    const fields = ['otp', to, org ?? null, domain ?? null, digits, minutes, ...others];
    return this.acceptOtp.accept({ ...input, kind: 'otp' }, fields, () => this.prepare(input));
  }

  /**
   * Sends the same code again, as a new message. Throws also `otp_not_found`, `otp_not_resendable`,
   * `otp_resend_too_early`, and `invalid_request` for a channel that the code does not have.
   */
  async resend(input: ResendOtpInput): Promise<SentOtp> {
    const { key, address, otpId, channel } = input;
    const { accountId } = await this.apiKeys.authenticate(key, address, 'otp');
    const id = otpIdFromPublic(otpId);
    const known = id === undefined || key.test ? undefined : await this.records.find(accountId, id);
    const request = { ...input, kind: 'otp' as const, reference: known?.reference ?? undefined };
    const fields = ['otp-resend', otpId, ...(channel === undefined ? [] : [channel])];
    return this.acceptOtp.accept(request, fields, async () => {
      if (key.test) return this.prepareTestResend(otpId);
      return known ? this.prepareResend(accountId, known, channel) : otpNotFound(otpId);
    });
  }

  /** Reserves no code for a test key: its message is not sent. */
  private async prepare(input: SendOtpInput): Promise<Prepared | Blocked | DomainError> {
    const { key, address, from, to, org, domain, digits, ownCode, minutes, reference, ip, device } = input;
    const { channels, maxCredits } = input;
    const content = { to, org, domain, digits };
    const ways = channels && (await this.priceSteps.plan(channels, content));
    if (ways instanceof DomainError) return ways;
    const priced = ways?.steps[0].message ?? (await this.priceSteps.price({ channel: 'sms', to }, content));
    if (priced instanceof DomainError) return priced;
    const plan = ways ? planOf(input, ways) : null;
    const dear = priceFault(plan?.creditsMax ?? priced.price.credits, maxCredits);
    if (dear) return dear;
    const unusable = from === undefined ? undefined : await this.senders.faultOf(key, from);
    if (unusable) return unusable;
    const id = newMessageId();
    const message = { id, ...priced, step: ways && 1 };
    const { country } = priced.price;
    const recipient = ways?.person.e164 ?? priced.price.recipient;
    const isManaged = ownCode === undefined;
    const progress = { plan, step: 1 };
    if (key.test) {
      const code = testCodeFor(recipient, minutes, isManaged, plan);
      return code instanceof DomainError ? code : { message, code, release: undefined };
    }
    const { accountId, keyId } = await this.apiKeys.authenticate(key, address, 'otp');
    const refusal = plan ? await this.priceSteps.refusalOf(accountId, recipient, plan.plan) : undefined;
    if (refusal) return refusal;
    const stored = plan ? { ...plan, language: await this.priceSteps.languageOf(accountId, plan.plan) } : undefined;
    const about = { id, accountId, keyId, recipient, country, minutes, reference, ip, device, plan: stored };
    const reserved = await this.reserveCode.reserve({ ...about, org, domain, digits, ownCode });
    if (reserved instanceof GuardRefusal)
      return { refusal: reserved, accountId, recipient: guarded(recipient, plan?.plan[0]) };
    if (reserved instanceof DomainError) return reserved;
    const stepAt = stepAfter(reserved.sentAt, plan, 1);
    const code = sentCode({ ...reserved, otpId: id, resends: 0, attemptsLeft: null, isManaged, ...progress, stepAt });
    const release = () => this.reserveCode.release(id);
    const step = plan ? { accountId, otpId: id, begun: undefined, createdAt: reserved.sentAt } : undefined;
    return { message, code, release, step };
  }

  private async prepareResend(
    accountId: string,
    { id: otpId, recipient }: OtpRecord,
    channel: OtpChannel | undefined,
  ): Promise<Prepared | Blocked | DomainError> {
    const id = newMessageId();
    const reserved = await this.reserveResend.reserve(accountId, otpId, id, channel);
    if (reserved instanceof GuardRefusal) return { refusal: reserved, accountId, recipient };
    if (reserved instanceof DomainError) return reserved;
    const { text, begun, sentAt } = reserved;
    const content = { ...text, to: recipient, digits: text.code.length };
    const price = await this.priceSteps.price(begun?.step ?? { channel: 'sms', to: recipient }, content);
    const release = () => this.reserveResend.release(id, otpId, begun);
    const refusal = begun && (await this.priceSteps.refusalOf(accountId, recipient, [begun.step]));
    if (refusal) {
      await release();
      return refusal;
    }
    if (price instanceof DomainError) {
      await release();
      return price;
    }
    const plan = begun?.plan ?? null;
    const stepAt = stepAfter(sentAt, plan, begun?.place ?? 1);
    const progress = { plan, step: begun?.place ?? null, stepAt };
    const code = sentCode({ ...reserved, otpId, isManaged: true, ...progress });
    const step = begun && { accountId, otpId, begun, createdAt: sentAt };
    return { message: { id, ...price, step: begun?.place }, code, release, step };
  }

  private async prepareTestResend(otpId: string): Promise<Prepared | DomainError> {
    const resend = testResendOf(otpId, new Date());
    if (resend instanceof DomainError) return resend;
    const content = { to: resend.recipient, org: undefined, domain: undefined, digits: limits.otpDigitsDefault };
    const price = await this.priceSteps.price({ channel: 'sms', to: resend.recipient }, content);
    if (price instanceof DomainError) return price;
    return { message: { id: newMessageId(), ...price }, code: resend.code, release: undefined };
  }
}

function planOf({ key, address, from, timing }: SendOtpInput, { steps, creditsMax }: PricedPlan): OtpPlan {
  return {
    plan: steps.map(({ step }) => step),
    creditsMax,
    key: key.hash.toString('base64'),
    named: key.named,
    address,
    from,
    hedgeSeconds: timing?.hedgeSeconds,
  };
}

/** Returns the number that the fraud guard refused: an address has no country, and counts for the code's number. */
function guarded(recipient: string, step: Pick<OtpStep, 'channel' | 'to'> | undefined): string {
  return step === undefined || step.channel === 'email' ? recipient : step.to;
}
