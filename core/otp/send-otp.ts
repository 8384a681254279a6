import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { ApiKeys } from '../keys/api-keys.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import {
  AcceptMessage,
  type AcceptedMessage,
  type MessageRequest,
  type PreparedMessage,
} from '../messages/send/accept-message.js';
import { asRefusal } from '../messages/send/decision.js';
import { CurrentRegions } from '../routes/current-regions.js';
import { Senders } from '../messages/senders/senders.js';
import { inactive, priceOfMessage, unsupported, type PricedMessage, type Terms } from '../messages/send/price.js';
import { messageIdFromPublic, newMessageId, otpIdFromPublic, publicOtpId } from '../rules/ids.js';
import { maskedOtpText, nextResendAt } from '../rules/otp.js';
import type { RegionTable } from '../rules/regions.js';
import { FraudGuard } from './guard/fraud-guard.js';
import { GuardRefusal } from './guard/guard-rules.js';
import { OtpRecordsRepository, type OtpMessage, type OtpRecord } from './otp-records.repository.js';
import { otpNotFound } from './otp-state.js';
import { ReserveCode, ReserveResend } from './reserve-code.js';
import { testCodeFor, testResendOf, type SentCode } from './test-otps.js';

interface SendOtpInput extends Omit<MessageRequest, 'kind'> {
  readonly to: string;
  readonly org: string | undefined;
  readonly domain: string | undefined;
  readonly digits: number;
  /** Minutes for which the code can be verified. */
  readonly minutes: number;
  /** Network address and device of the end user who asked for the code. */
  readonly ip: string | undefined;
  readonly device: string | undefined;
}

interface ResendOtpInput extends Omit<MessageRequest, 'kind' | 'reference'> {
  /** Public id. */
  readonly otpId: string;
}

export type SentOtp = AcceptedMessage & SentCode;

/** A message to be accepted, its code, and the kind of its reservation. */
interface Prepared {
  readonly message: PreparedMessage;
  readonly code: SentCode;
  /** Undefined in test mode, which reserves nothing. */
  readonly reserved: 'code' | 'resend' | undefined;
}

/** A message that the fraud guard refuses. */
interface Blocked {
  readonly refusal: GuardRefusal;
  readonly accountId: string;
  readonly recipient: string;
}

const otpTerms: Terms = {
  regionOf: (region, regions) => {
    if (region?.otp !== true) return unsupported(onlyTo(regions));
    return region.active ? region : inactive(region);
  },
  segmentsMax: limits.otpSegmentsMax,
  priceOf: () => limits.otpCredits,
};

/** Names the regions of one-time passwords in words. */
function onlyTo(regions: RegionTable): string {
  const offered = [...regions.values()].filter(({ otp, active }) => otp && active).toReversed();
  if (offered.length === 0) return 'One-time passwords are not offered now.';
  const names = offered.map(({ country }) => (/^U[A-Z]+$/.test(country) ? `the ${country}` : country));
  return `One-time passwords are sent to ${new Intl.ListFormat('en-GB').format(names)} only.`;
}

/**
 * Sends and resends one-time passwords: reserves a code or a resend, then passes the message to
 * {@link AcceptMessage}, whose errors it throws too. If the message is refused, the reservation is
 * removed.
 */
@Injectable()
export class SendOtp {
  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly apiKeys: ApiKeys,
    private readonly reserveCode: ReserveCode,
    private readonly reserveResend: ReserveResend,
    private readonly records: OtpRecordsRepository,
    private readonly guard: FraudGuard,
    private readonly currentRegions: CurrentRegions,
    private readonly senders: Senders,
    private readonly logger: Logger,
  ) {}

  /** Throws also `rate_limited` and `otp_suspicious` of the fraud guard. */
  async send(input: SendOtpInput): Promise<SentOtp> {
    const { to, org, domain, digits, minutes, ip, device } = input;
    const endUser = ip === undefined && device === undefined ? [] : [ip ?? null, device ?? null];
    const chosen = input.timing?.hedgeSeconds === undefined ? [] : [{ hedgeSeconds: input.timing.hedgeSeconds }];
    const named = input.from === undefined ? [] : [{ from: input.from }];
    const fields = ['otp', to, org ?? null, domain ?? null, digits, minutes, ...endUser, ...chosen, ...named];
    return this.accept({ ...input, kind: 'otp' }, fields, () => this.prepare(input));
  }

  /**
   * Sends the same code again, as a new message. Throws also `otp_not_found`, `otp_not_resendable`,
   * `otp_resend_too_early`.
   */
  async resend(input: ResendOtpInput): Promise<SentOtp> {
    const { key, address, otpId } = input;
    const { accountId } = await this.apiKeys.authenticate(key, address, 'otp');
    const id = otpIdFromPublic(otpId);
    const known = id === undefined || key.test ? undefined : await this.records.find(accountId, id);
    const request = { ...input, kind: 'otp' as const, reference: known?.reference ?? undefined };
    return this.accept(request, ['otp-resend', otpId], async () => {
      if (key.test) return this.prepareTestResend(otpId);
      return known ? this.prepareResend(accountId, known) : otpNotFound(otpId);
    });
  }

  /** Accepts the message that is prepared; removes its reservation if it was not accepted. */
  private async accept(
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
      if (made.prepared && !accepted.replayed) return { ...accepted, ...made.prepared.code };
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

  /** Reserves no code for a test key: its message is not sent. */
  private async prepare(input: SendOtpInput): Promise<Prepared | Blocked | DomainError> {
    const { key, address, from, to, org, domain, digits, minutes, reference, ip, device } = input;
    const priced = pricedOf(await this.currentRegions.table(), { to, org, domain, digits });
    if (priced instanceof DomainError) return priced;
    const unusable = from === undefined ? undefined : await this.senders.faultOf(key, from);
    if (unusable) return unusable;
    const id = newMessageId();
    const message = { id, ...priced };
    const { recipient, country } = priced.price;
    if (key.test) {
      const code = testCodeFor(recipient, minutes);
      return code instanceof DomainError ? code : { message, code, reserved: undefined };
    }
    const { accountId, keyId } = await this.apiKeys.authenticate(key, address, 'otp');
    const order = { id, accountId, keyId, recipient, country, digits, minutes, reference, org, domain, ip, device };
    const reserved = await this.reserveCode.reserve(order);
    if (reserved instanceof GuardRefusal) return { refusal: reserved, accountId, recipient };
    if (reserved instanceof DomainError) return reserved;
    return { message, code: sentCode({ ...reserved, otpId: id, resends: 0, attemptsLeft: null }), reserved: 'code' };
  }

  private async prepareResend(
    accountId: string,
    { id: otpId, recipient }: OtpRecord,
  ): Promise<Prepared | Blocked | DomainError> {
    const id = newMessageId();
    const reserved = await this.reserveResend.reserve(accountId, otpId, id);
    if (reserved instanceof GuardRefusal) return { refusal: reserved, accountId, recipient };
    if (reserved instanceof DomainError) return reserved;
    const { text } = reserved;
    const body = maskedOtpText({ ...text, digits: text.code.length });
    const price = priceOfMessage(await this.currentRegions.table(), recipient, body, otpTerms);
    if (!(price instanceof DomainError))
      return { message: { id, price, body }, code: sentCode({ ...reserved, otpId }), reserved: 'resend' };
    await this.reserveResend.release(id);
    return price;
  }

  private async prepareTestResend(otpId: string): Promise<Prepared | DomainError> {
    const resend = testResendOf(otpId, new Date());
    if (resend instanceof DomainError) return resend;
    const body = maskedOtpText({ org: undefined, domain: undefined, digits: limits.otpDigitsDefault });
    const price = priceOfMessage(await this.currentRegions.table(), resend.recipient, body, otpTerms);
    if (price instanceof DomainError) return price;
    return { message: { id: newMessageId(), price, body }, code: resend.code, reserved: undefined };
  }

  /** Returns the code of an earlier message, as described in its answer. */
  private async codeOf(publicMessageId: string): Promise<SentCode> {
    const messageId = messageIdFromPublic(publicMessageId) ?? '';
    const [message] = await this.records.messages([messageId]);
    if (!message) throw new Error('The code of an accepted message is missing');
    return sentCode(message);
  }

  /** A reservation that cannot be removed was never sent, and expires. */
  private async release({ message: { id }, reserved }: Prepared): Promise<void> {
    try {
      if (reserved === 'code') await this.reserveCode.release(id);
      if (reserved === 'resend') await this.reserveResend.release(id);
    } catch (err) {
      this.logger.warn({ err, messageId: id }, 'code of a refused message left to expire');
    }
  }
}

type OtpContent = Pick<SendOtpInput, 'to' | 'org' | 'domain' | 'digits'>;

/** Returns why the rules refuse a message with a code, for any sender. */
export function faultOfOtpRules(regions: RegionTable, content: OtpContent): DomainError | undefined {
  const priced = pricedOf(regions, content);
  return priced instanceof DomainError ? priced : undefined;
}

function pricedOf(regions: RegionTable, { to, org, domain, digits }: OtpContent): PricedMessage | DomainError {
  // The masked text is as long as the sent text, so its price is the same.
  const body = maskedOtpText({ org, domain, digits });
  // In the text the domain looks like a mention, '@example.com', but it follows the rules for
  // URLs.
  const price = priceOfMessage(regions, to, body, otpTerms, `${org ?? ''}\n${domain ?? ''}`);
  return price instanceof DomainError ? price : { price, body };
}

function sentCode(sent: Pick<OtpMessage, 'otpId' | 'resends' | 'sentAt' | 'expiresAt' | 'attemptsLeft'>): SentCode {
  return {
    otpId: publicOtpId(sent.otpId),
    expiresAt: sent.expiresAt,
    nextResendAt: nextResendAt(sent),
    attemptsLeft: sent.attemptsLeft ?? limits.otpTriesMax,
  };
}
