import { Injectable } from '@nestjs/common';
import {
  type CallLanguage,
  type OtherChannel,
  type OtpChannel,
  otpChannelNames,
  type OtpStepBody,
} from '#contract/otp-channels.js';
import { limits } from '#contract/limits.js';
import type { Region } from '#contract/regions.js';
import { Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { FoundUrl } from '../../messages/send/decision.js';
import { contentOf, type Price, type PricedMessage } from '../../messages/send/price.js';
import { Postgres } from '../../platform/database/postgres.js';
import { CurrentRegions } from '../../routes/current-regions.js';
import { maskedOtpText } from '../../rules/otp.js';
import {
  emailAddressOf,
  isCostlyToCall,
  type OtpStep,
  stepWaitSecondsOf,
  storedRecipient,
} from '../../rules/otp-channels.js';
import { noNumberText, parseRecipient, type Recipient } from '../../rules/phone-numbers.js';
import type { RegionTable } from '../../rules/regions.js';
import { OtpSettings } from '../otp-settings.js';
import { type OtpContent, otpTerms, priceOfOtp } from '../price-otp.js';

/** A step that can begin: its message without the code. */
export interface PricedStep {
  readonly step: OtpStep;
  readonly message: PricedMessage;
}

/** The steps that a request asks for, each of which can begin. */
export interface PricedPlan {
  /** The number that the code is for; a step may go to another. */
  readonly person: Recipient;
  readonly steps: readonly [PricedStep, ...PricedStep[]];
  /** Price of all steps together in credits. */
  readonly creditsMax: number;
}

/** Row of {@link refusalsStatement}. */
export interface Refusals {
  readonly isStopped: boolean;
  readonly isUnpaid: boolean;
}

/** Types of numbers that are called. */
const CALLED_TYPES: readonly (string | undefined)[] = [undefined, 'landline'];

/**
 * Returns whether one of the numbers has opted out of an account's messages, or of all shared senders, unless the
 * account goes on by other channels; and whether the account has never paid. Parameters: account, numbers.
 */
export const refusalsStatement = {
  name: 'otp-refusals-1',
  text: `
SELECT EXISTS (
  SELECT FROM opt_outs o
  WHERE o.recipient = ANY ($2::text[]) AND (o.account_id = $1 OR (o.account_id IS NULL AND o.shared IS NOT false))
) AND NOT coalesce((SELECT channels_after_stop FROM otp_guards WHERE account_id = $1), false) AS "isStopped",
  coalesce((SELECT own_numbers_only FROM accounts WHERE id = $1), false) AS "isUnpaid"`,
} as const;

const manners: Readonly<Record<OtpChannel, string>> = {
  sms: 'by SMS',
  whatsapp: 'by WhatsApp',
  voice: 'by voice calls',
  email: 'by email',
};

const NOT_CHARGED = 'You were not charged.';

/**
 * Prices the steps of a code, and reads what its account has chosen for them. A channel that the operator has not
 * configured, or that is closed for the country of the number, refuses the whole request.
 */
@Injectable()
export class PriceSteps {
  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
    private readonly currentRegions: CurrentRegions,
    private readonly settings: OtpSettings,
  ) {}

  /** The channels that can be asked for, with the price of a code in credits. */
  offered(): { readonly channel: OtpChannel; readonly credits: number }[] {
    const others = this.config.channels.map(({ name: channel, credits }) => ({ channel, credits }));
    return [{ channel: 'sms', credits: limits.otpCredits }, ...others];
  }

  /** Returns whether codes are spoken in calls to a country: the operator has opened it, and has configured calls. */
  isSpokenIn({ active, voice }: Region): boolean {
    return active && voice === true && this.config.channels.some(({ name }) => name === 'voice');
  }

  /** Names of the countries in which codes are spoken in calls. */
  async voiceCountries(): Promise<string[]> {
    const table = await this.currentRegions.table();
    return [...table.values()].filter((region) => this.isSpokenIn(region)).map(({ country }) => country);
  }

  /**
   * Returns the steps that a request asks for, or the refusal of the first that cannot be begun: `invalid_request`,
   * `invalid_number`, `number_type_unsupported`, `channel_unsupported`, `channel_disabled` and the refusals of text
   * messages with codes.
   */
  async plan(wanted: readonly OtpStepBody[], content: OtpContent): Promise<PricedPlan | DomainError> {
    const regions = await this.currentRegions.table();
    const person = parseRecipient(content.to);
    if (!person) return new DomainError('invalid_number', noNumberText(content.to));
    const priced: PricedStep[] = [];
    for (const [index, { channel, to, wait_seconds: wait }] of wanted.entries()) {
      const place = `channels.${index}`;
      if (priced.some(({ step }) => step.channel === channel))
        return invalid(`${place}: ${otpChannelNames[channel]} is there twice. Each channel is tried once.`);
      const waitSeconds = stepWaitSecondsOf(wait);
      if (waitSeconds === undefined) {
        const { otpStepWaitSecondsMin: min, otpStepWaitSecondsMax: max } = limits;
        return invalid(`${place}.wait_seconds: must be a whole number from ${min} to ${max}.`);
      }
      const recipient = recipientOf(channel, to || undefined, person, place);
      if (recipient instanceof DomainError) return recipient;
      const step = { channel, to: recipient, waitSeconds };
      const message = this.priceIn(regions, step, content);
      if (message instanceof DomainError) return message;
      priced.push({ step, message });
    }
    const [first, ...others] = priced;
    if (!first) return invalid('channels: must have at least one channel.');
    const creditsMax = priced.reduce((sum, { message }) => sum + message.price.credits, 0);
    return { person, steps: [first, ...others], creditsMax };
  }

  /** Prices a step as it begins, by the settings of this moment. */
  async price(step: Pick<OtpStep, 'channel' | 'to'>, content: OtpContent): Promise<PricedMessage | DomainError> {
    return this.priceIn(await this.currentRegions.table(), step, content);
  }

  /**
   * Returns why an account may not send by channels besides text messages, whose refusals acceptance decides:
   * `recipient_opted_out` for a person who has said STOP, unless the account goes on by other channels;
   * `channel_disabled` for a call of an account that has never paid, because calls to strangers attract fraud;
   * `number_not_verified` for such an account where free credits only reach numbers that it has verified.
   */
  async refusalOf(
    accountId: string,
    recipient: string,
    steps: readonly Pick<OtpStep, 'channel' | 'to'>[],
  ): Promise<DomainError | undefined> {
    const others = steps.filter(({ channel }) => channel !== 'sms');
    if (others.length === 0) return undefined;
    const numbers = [recipient, ...others.map(({ to }) => to)];
    const [row] = await this.postgres.query<Refusals>(refusalsStatement, [accountId, numbers]);
    if (row?.isUnpaid === true && others.some(({ channel }) => channel === 'voice'))
      return new DomainError('channel_disabled', `Calls need a purchase of credits first. ${NOT_CHARGED}`);
    if (row?.isUnpaid === true && this.config.signIn.freeCreditsOwnNumber) {
      const detail = `With free credits alone, codes go by SMS. Purchase credits for other channels. ${NOT_CHARGED}`;
      return new DomainError('number_not_verified', detail);
    }
    if (row?.isStopped !== true) return undefined;
    const detail =
      'The person has said STOP to text messages, and your account sends no codes by other channels then. You were ' +
      'not charged. The one-time passwords page of the dashboard has a setting for it.';
    return new DomainError('recipient_opted_out', detail);
  }

  /** Returns the language in which an account's calls speak; undefined for steps without a call. */
  async languageOf(accountId: string, steps: readonly Pick<OtpStep, 'channel'>[]): Promise<CallLanguage | undefined> {
    if (!steps.some(({ channel }) => channel === 'voice')) return undefined;
    return (await this.settings.of(accountId)).callLanguage;
  }

  private priceIn(
    regions: RegionTable,
    step: Pick<OtpStep, 'channel' | 'to'>,
    content: OtpContent,
  ): PricedMessage | DomainError {
    const { channel, to } = step;
    if (channel === 'sms') return priceOfOtp(regions, { ...content, to });
    const configured = this.config.channels.find(({ name }) => name === channel);
    if (!configured) {
      const names = this.offered().map(({ channel: name }) => `"${name}"`);
      const offer = `${new Intl.ListFormat('en-GB').format(names)} ${names.length === 1 ? 'is' : 'are'}`;
      return new DomainError(
        'channel_unsupported',
        `${otpChannelNames[channel]} is not offered here; ${offer}. ${NOT_CHARGED}`,
      );
    }
    const country = countryOf(regions, channel, channel === 'email' ? content.to : to);
    if (country instanceof DomainError) return country;
    const body = maskedOtpText({ ...content, domain: undefined });
    const size = contentOf(body, otpTerms, content.org ?? '');
    if (size instanceof DomainError) return size;
    // Email clients make links of addresses.
    const url: FoundUrl | undefined = size.url ?? (content.org?.includes('@') === true ? content.org : undefined);
    const recipient = storedRecipient(step);
    const price: Price = { recipient, country, ...size, url, segments: 1, credits: configured.credits };
    return { price, body, channelSender: configured.sender };
  }
}

/** Returns the number or address of a step, or why it is of another kind than the channel. */
function recipientOf(
  channel: OtpChannel,
  to: string | undefined,
  person: Recipient,
  place: string,
): string | DomainError {
  if (channel === 'email') {
    const address = to === undefined ? undefined : emailAddressOf(to);
    return address ?? invalid(`${place}.to: must be an email address, such as ann@example.com.`);
  }
  const number = to === undefined ? person : parseRecipient(to);
  return number?.e164 ?? new DomainError('invalid_number', `${place}.to: ${noNumberText(to ?? '')}`);
}

/** Returns the country of a step, ISO 3166-1 alpha-2, or why the channel is closed for the number. */
function countryOf(regions: RegionTable, channel: OtherChannel, to: string): string | DomainError {
  const number = parseRecipient(to);
  if (!number) return new DomainError('invalid_number', noNumberText(to));
  const { country, unsupportedType } = number;
  if (channel === 'email') return country;
  const isCalled = CALLED_TYPES.includes(unsupportedType) && !isCostlyToCall(to);
  const isFit = channel === 'voice' ? isCalled : unsupportedType === undefined;
  if (!isFit) {
    const detail = `This is a ${unsupportedType ?? 'premium-rate'} number, which is not reached ${manners[channel]}.`;
    return new DomainError('number_type_unsupported', detail);
  }
  const region = regions.get(country);
  const isOpen = region?.active === true && (channel === 'voice' ? region.voice === true : region.otp);
  if (isOpen) return country;
  const name = region?.country ?? country;
  return new DomainError('channel_disabled', `Codes ${manners[channel]} to ${name} are not offered. ${NOT_CHARGED}`);
}

function invalid(detail: string): DomainError {
  return new DomainError('invalid_request', detail);
}
