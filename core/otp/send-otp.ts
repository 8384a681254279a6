import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { ApiKeys } from '../keys/api-keys.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { MessageRequest } from '../messages/send/accept-message.js';
import { CurrentRegions } from '../routes/current-regions.js';
import { Senders } from '../messages/senders/senders.js';
import { inactive, priceOfMessage, unsupported, type PricedMessage, type Terms } from '../messages/send/price.js';
import { newMessageId, otpIdFromPublic } from '../rules/ids.js';
import { maskedOtpText } from '../rules/otp.js';
import type { RegionTable } from '../rules/regions.js';
import { AcceptOtp, type Blocked, type Prepared, sentCode, type SentOtp } from './accept-otp.js';
import { GuardRefusal } from './guard/guard-rules.js';
import { OtpRecordsRepository, type OtpRecord } from './otp-records.repository.js';
import { otpNotFound } from './otp-state.js';
import { ReserveCode, ReserveResend } from './reserve-code.js';
import { testCodeFor, testResendOf } from './test-otps.js';

interface SendOtpInput extends Omit<MessageRequest, 'kind'> {
  readonly to: string;
  readonly org: string | undefined;
  readonly domain: string | undefined;
  /** Characters of the code. */
  readonly digits: number;
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
    private readonly currentRegions: CurrentRegions,
    private readonly senders: Senders,
  ) {}

  /** Throws also `rate_limited` and `otp_suspicious` of the fraud guard. */
  async send(input: SendOtpInput): Promise<SentOtp> {
    const { to, org, domain, digits, ownCode, minutes, ip, device } = input;
    const endUser = ip === undefined && device === undefined ? [] : [ip ?? null, device ?? null];
    const chosen = input.timing?.hedgeSeconds === undefined ? [] : [{ hedgeSeconds: input.timing.hedgeSeconds }];
    const named = input.from === undefined ? [] : [{ from: input.from }];
    const own = ownCode === undefined ? [] : [{ code: this.reserveCode.fingerprintOf(ownCode) }];
    const fields = ['otp', to, org ?? null, domain ?? null, digits, minutes, ...endUser, ...chosen, ...named, ...own];
    return this.acceptOtp.accept({ ...input, kind: 'otp' }, fields, () => this.prepare(input));
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
    return this.acceptOtp.accept(request, ['otp-resend', otpId], async () => {
      if (key.test) return this.prepareTestResend(otpId);
      return known ? this.prepareResend(accountId, known) : otpNotFound(otpId);
    });
  }

  /** Reserves no code for a test key: its message is not sent. */
  private async prepare(input: SendOtpInput): Promise<Prepared | Blocked | DomainError> {
    const { key, address, from, to, org, domain, digits, ownCode, minutes, reference, ip, device } = input;
    const priced = pricedOf(await this.currentRegions.table(), { to, org, domain, digits });
    if (priced instanceof DomainError) return priced;
    const unusable = from === undefined ? undefined : await this.senders.faultOf(key, from);
    if (unusable) return unusable;
    const id = newMessageId();
    const message = { id, ...priced };
    const { recipient, country } = priced.price;
    if (key.test) {
      const code = testCodeFor(recipient, minutes, ownCode === undefined);
      return code instanceof DomainError ? code : { message, code, release: undefined };
    }
    const { accountId, keyId } = await this.apiKeys.authenticate(key, address, 'otp');
    const about = { id, accountId, keyId, recipient, country, minutes, reference, ip, device };
    const reserved = await this.reserveCode.reserve({ ...about, org, domain, digits, ownCode });
    if (reserved instanceof GuardRefusal) return { refusal: reserved, accountId, recipient };
    if (reserved instanceof DomainError) return reserved;
    const code = sentCode({
      ...reserved,
      otpId: id,
      resends: 0,
      attemptsLeft: null,
      isManaged: ownCode === undefined,
    });
    return { message, code, release: () => this.reserveCode.release(id) };
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
    const release = () => this.reserveResend.release(id);
    if (!(price instanceof DomainError))
      return { message: { id, price, body }, code: sentCode({ ...reserved, otpId, isManaged: true }), release };
    await release();
    return price;
  }

  private async prepareTestResend(otpId: string): Promise<Prepared | DomainError> {
    const resend = testResendOf(otpId, new Date());
    if (resend instanceof DomainError) return resend;
    const body = maskedOtpText({ org: undefined, domain: undefined, digits: limits.otpDigitsDefault });
    const price = priceOfMessage(await this.currentRegions.table(), resend.recipient, body, otpTerms);
    if (price instanceof DomainError) return price;
    return { message: { id: newMessageId(), price, body }, code: resend.code, release: undefined };
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
