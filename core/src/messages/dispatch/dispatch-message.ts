import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { Backlog } from '../../queue/backlog.js';
import { Progress } from '../progress/progress.js';
import { SealedTexts } from '../sealed-texts/sealed-texts.js';
import { Carrier, type SendOutcome } from './carrier.js';
import { Claims } from './claims.js';
import type { ClaimRow } from './claims.sql.js';
import { retryDelayMs } from './retry-delay.js';

/** A message the carrier cannot take for this long fails, and its credits go back. As Twilio's own validity period. */
const GIVE_UP_AFTER_MS = 4 * 3_600_000;

type Claimed = Extract<ClaimRow, { verdict: 'claimed' }>;

/** `retry`: run the same job again after this time. */
export type DispatchResult = { readonly kind: 'done' } | { readonly kind: 'retry'; readonly delayMs: number };

const done: DispatchResult = { kind: 'done' };

/** Takes one queued message to the carrier and records what came of it. Running it twice sends once: the row decides. */
@Injectable()
export class DispatchMessage {
  constructor(
    private readonly claims: Claims,
    private readonly carrier: Carrier,
    private readonly progress: Progress,
    private readonly sealedTexts: SealedTexts,
    private readonly backlog: Backlog,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(messageId: string): Promise<DispatchResult> {
    const askedAt = performance.now();
    const claim = await this.claims.claim(messageId);
    if (!claim) return done;
    this.leaveBacklog(claim);
    if (claim.verdict !== 'claimed') {
      await this.progress.advance({ id: messageId, status: 'failed', carrierId: null, errorCode: claim.verdict });
      this.logger.info({ messageId, reason: claim.verdict }, 'message refused at dispatch');
      return done;
    }
    const { text, isUseful } = await this.sealedTexts.read(claim);
    if (!isUseful) return this.expire(claim);
    if (this.leaseIsShort(askedAt)) return this.retry(claim, 0);
    return this.record(claim, await this.carrier.send({ ...claim, body: text }));
  }

  private async record(claim: Claimed, outcome: SendOutcome): Promise<DispatchResult> {
    const { id } = claim;
    switch (outcome.kind) {
      case 'accepted':
        await this.progress.advance({ id, status: 'sent', carrierId: outcome.carrierId });
        await this.sealedTexts.forget(claim);
        return done;
      case 'refused': {
        const { carrierError } = outcome;
        await this.progress.advance({
          id,
          status: 'failed',
          carrierId: null,
          errorCode: 'carrier_refused',
          carrierError,
        });
        await this.sealedTexts.forget(claim);
        this.logger.info({ messageId: id, carrierError }, 'carrier refused message');
        return done;
      }
      case 'unavailable':
        this.logger.warn({ messageId: id, attempt: claim.attempts, err: outcome.cause }, 'carrier unavailable');
        return this.retry(claim, Math.max(outcome.retryAfterMs ?? 0, retryDelayMs(claim.attempts, Math.random())));
      case 'unknown':
        this.logger.warn({ messageId: id, err: outcome.cause }, 'carrier did not answer');
        await this.progress.settleSoon(id);
        return done;
    }
  }

  /** A one-time password whose time has passed helps nobody: its credit goes back. */
  private async expire(claim: Claimed): Promise<DispatchResult> {
    const { id } = claim;
    await this.progress.advance({ id, status: 'failed', carrierId: null, errorCode: 'expired' });
    await this.sealedTexts.forget(claim);
    this.logger.info({ messageId: id }, 'message came to the carrier too late');
    return done;
  }

  private async retry({ id, attempts, createdAt }: Claimed, delayMs: number): Promise<DispatchResult> {
    if (Date.now() - createdAt.getTime() > GIVE_UP_AFTER_MS) {
      await this.progress.advance({ id, status: 'failed', carrierId: null, errorCode: 'carrier_unavailable' });
      return done;
    }
    const released = await this.progress.release(id, attempts, delayMs);
    return released ? { kind: 'retry', delayMs } : done;
  }

  /**
   * A call may only start while the claim outlives it: once the lease is over, recovery may give the message to another
   * worker. The time is this process's own, measured from before the claim, so no clock needs to agree with another.
   */
  private leaseIsShort(askedAt: number): boolean {
    const { leaseSeconds } = this.config.dispatch;
    return performance.now() - askedAt > leaseSeconds * 1_000 - this.config.twilio.timeoutMs;
  }

  private leaveBacklog({ id, accountId }: ClaimRow): void {
    this.backlog.leave(accountId).catch((err: unknown) => {
      this.logger.debug({ err, messageId: id }, 'backlog not counted');
    });
  }
}
