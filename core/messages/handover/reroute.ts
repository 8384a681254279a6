import { Injectable } from '@nestjs/common';
import type { AttemptOutcome, AttemptReason } from '#contract/message-record.js';
import { failureClassOf } from '#contract/delivery-errors.js';
import { mayChangeRoute } from '#contract/carrier-codes.js';
import type { MessageStatus } from '#contract/messages.js';
import { Config } from '../../platform/config/config.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { deliveryOf, mayBeHandedOver } from '../../rules/delivery.js';
import { Senders } from '../senders/senders.js';
import { CarrierSenders } from '../../carriers/carrier-senders.js';
import { ChangeRoute } from './change-route.js';
import { type HandedOver, MessageAttempts } from './message-attempts.js';

/** Reason why a message leaves its route, and facts about the hand-over that ends. */
export interface Leaving {
  readonly reason: AttemptReason;
  readonly outcome: AttemptOutcome;
  /** States in which the message may be. */
  readonly from: readonly MessageStatus[];
  /** The claim that ends; undefined for any. */
  readonly claim?: number;
  /** The carrier that ends it; undefined for any. */
  readonly carrier?: number;
  readonly carrierError?: number | null;
  /** The carrier's id of the hand-over that ends; undefined for any. */
  readonly carrierId?: string;
  readonly receipt?: 'undelivered' | 'failed';
  readonly context?: RequestContext | undefined;
}

/**
 * Hands messages to another route. Where a single carrier is configured, nothing is read or
 * changed.
 */
@Injectable()
export class Reroute {
  constructor(
    private readonly config: Config,
    private readonly attempts: MessageAttempts,
    private readonly senders: Senders,
    private readonly carrierSenders: CarrierSenders,
    private readonly changeRoute: ChangeRoute,
  ) {}

  /** Whether there may be another route. */
  get areSeveral(): boolean {
    return this.config.carriers.length > 1;
  }

  /**
   * Queues a message for another route. Returns false when there is no other route, the hand-overs
   * of the message or of the account's slow messages are used up, or the message has moved on.
   */
  async leave(id: string, leaving: Leaving): Promise<boolean> {
    return this.change(id, leaving);
  }

  /**
   * As {@link leave}, for a message in doubt: only a message that is delivered `fast` leaves,
   * unless its one-time password was entered.
   */
  async leaveInDoubt(id: string, leaving: Leaving): Promise<boolean> {
    return this.change(id, leaving, ({ hedgeSeconds, isUsed }) => hedgeSeconds > 0 && !isUsed);
  }

  /**
   * Handles a failure with a carrier's code: queues the message for another route if the code
   * concerns the route, for another sender of the route if it concerns the sender. Other codes end
   * the message.
   */
  async leaveFailed(id: string, failed: Leaving & { readonly carrier: number }): Promise<boolean> {
    const source = failed.receipt ? 'receipt' : 'answer';
    const failure = failureClassOf(failed.carrier, failed.carrierError ?? null, source);
    if (mayChangeRoute(failure)) return this.change(id, failed);
    if (failure !== 'sender') return false;
    // A hand-over without an answer could not be told from the carrier's next hand-over.
    const from = failed.receipt ? (['sent'] as const) : failed.from;
    return this.change(id, { ...failed, from }, ({ triedSenders }) => triedSenders.length === 0, true);
  }

  /** The carrier of a queued message is its sender's carrier, as a claim decides. */
  private async read(id: string): Promise<HandedOver | undefined> {
    const message = await this.attempts.handedOver(id);
    if (message?.status !== 'queued') return message;
    return { ...message, carrier: this.carrierSenders.carrierOfOperated(message.sender) };
  }

  /** A channel of one-time passwords has one carrier: the code's next step is its other route. */
  private isOfChannel({ carrier }: HandedOver): boolean {
    return this.config.channels.some(({ number }) => number === carrier);
  }

  private async change(
    id: string,
    leaving: Leaving,
    applies: (message: HandedOver) => boolean = () => true,
    onSameRoute = false,
  ): Promise<boolean> {
    if (!this.areSeveral) return false;
    const message = await this.read(id);
    if (!message || message.isBought || message.isRestored || this.isOfChannel(message)) return false;
    if (!isMeant(message, leaving) || !applies(message)) return false;
    const { kind, hedgeSeconds, handOvers } = message;
    if (!mayBeHandedOver(deliveryOf(kind, hedgeSeconds), handOvers)) return false;
    const isPossible = (sender: string, carrier: number) => {
      if (kind === 'mms' && !this.carrierSenders.takesFiles(sender)) return false;
      return onSameRoute
        ? carrier === message.carrier && sender !== message.sender
        : carrier !== message.carrier && !message.takenBy.includes(carrier) && !message.paused.includes(carrier);
    };
    // Untried routes come first: a route that did not take the message may still not.
    const isUntried = (sender: string, carrier: number) =>
      isPossible(sender, carrier) && !message.tried.includes(carrier);
    const next = (await this.senders.another(message, isUntried)) ?? (await this.senders.another(message, isPossible));
    if (!next) return false;
    const { reason, outcome, carrierError = null, receipt = null, carrierId = null, context } = leaving;
    const percentMax = isSecondForSlowness(message, reason) ? this.config.dispatch.fastHedgesPercent : null;
    const change = { ...next, reason, outcome, carrierError, receipt, carrierId, percentMax };
    return this.changeRoute.change(message, change, context);
  }
}

/**
 * Whether a second hand-over of a slow message, which the operator pays, is limited: not for
 * one-time passwords.
 */
function isSecondForSlowness({ kind, status }: HandedOver, reason: AttemptReason): boolean {
  return reason === 'slow' && status !== 'queued' && kind !== 'otp';
}

function isMeant(message: HandedOver, { from, claim, carrier, carrierId }: Leaving): boolean {
  return (
    from.includes(message.status) &&
    (claim === undefined || claim === message.claim) &&
    (carrier === undefined || carrier === message.carrier) &&
    (carrierId === undefined || message.carrierId === null || carrierId === message.carrierId)
  );
}
