import { Injectable } from '@nestjs/common';
import type { OtpChannel, OtpStepBody } from '#contract/otp-channels.js';
import { AcceptMessage } from '../messages/send/accept-message.js';
import { Senders } from '../messages/senders/senders.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { newMessageId } from '../rules/ids.js';
import type { SendOtpInput } from './send-otp.js';
import { type PricedPlan, PriceSteps } from './steps/price-steps.js';

interface QuoteOtpInput extends Pick<
  SendOtpInput,
  'key' | 'address' | 'context' | 'to' | 'from' | 'org' | 'domain' | 'digits' | 'channels'
> {
  readonly accountId: string;
}

/** The price of a one-time password that was not sent. */
interface OtpQuote {
  /** The channels in order, with their prices in credits. */
  readonly channels: readonly { readonly channel: OtpChannel; readonly credits: number }[];
  /** Price of the first channel. */
  readonly credits: number;
  /** Price of all channels together. */
  readonly creditsMax: number;
  /** Country of the number that the code is for, ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Balance in credits. */
  readonly balance: number;
  /** Credits of the balance that no dispute has frozen. */
  readonly available: number;
}

/** A code without channels goes by SMS alone. */
const SMS_ALONE: readonly OtpStepBody[] = [{ channel: 'sms' }];

/**
 * Prices one-time passwords. Makes no code, sends and charges nothing, and does not count in the fraud guard. The price
 * is not promised: `max_credits` of the code bounds it.
 */
@Injectable()
export class QuoteOtp {
  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly priceSteps: PriceSteps,
    private readonly senders: Senders,
  ) {}

  /**
   * Throws the errors of sending the code that do not depend on limits, the balance and the fraud guard. As for a code
   * that is sent, the account's settings are applied to the first channel.
   */
  async quote(input: QuoteOtpInput): Promise<OtpQuote> {
    const { key, address, context, from } = input;
    const plan = await this.planOf(input);
    const message = plan instanceof DomainError ? plan : { id: newMessageId(), ...plan.steps[0].message };
    const request = { kind: 'otp', key, address, context, from } as const;
    const { balance, available } = await this.acceptMessage.preview(request, message);
    if (plan instanceof DomainError) throw plan;
    const { person, steps, creditsMax } = plan;
    const { credits } = steps[0].message.price;
    const channels = steps.map(({ step, message: { price } }) => ({ channel: step.channel, credits: price.credits }));
    return { channels, credits, creditsMax, country: person.country, balance, available };
  }

  /** A test key sends nothing: neither the person's STOP nor an account that has never paid refuses it. */
  private async planOf(input: QuoteOtpInput): Promise<PricedPlan | DomainError> {
    const { key, accountId, from, channels = SMS_ALONE } = input;
    const plan = await this.priceSteps.plan(channels, input);
    if (plan instanceof DomainError) return plan;
    const unusable = from === undefined ? undefined : await this.senders.faultOf(key, from);
    if (unusable || key.test) return unusable ?? plan;
    const { person, steps } = plan;
    const wanted = steps.map(({ step }) => step);
    return (await this.priceSteps.refusalOf(accountId, person.e164, wanted)) ?? plan;
  }
}
