import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OtpStatus } from '#contract/otp-statuses.js';
import { ApiKeys, type ApiKey } from '../accounts/api-keys.js';
import { Config } from '../platform/config/config.js';
import { boundedLine } from '../platform/database/bounded-line.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/database/retry-undone.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { publicMessageId } from '../rules/ids.js';
import { guessesAllowed } from '../rules/otp.js';
import { parseRecipient } from '../rules/phone-numbers.js';
import { WebhookEvents, type WebhookEvent } from '../webhooks/webhook-events.js';
import { judgeAmongAll, judgeWithRecipient, type Guess, type Judgement, type KnownCode } from './judge-guess.js';
import { OtpCodesRepository } from './otp-codes.repository.js';
import { OtpSecrets } from './reserve-code.js';

const BATCH_MAX = 100;
/** Two would mostly wait for each other's locks. */
const BATCHES_IN_FLIGHT_MAX = 1;

export interface VerifyOtpInput {
  readonly key: ApiKey;
  readonly otp: string;
  /** The recipient's number, if the caller names it. */
  readonly to: string | undefined;
  /** The caller's network address. */
  readonly address: string;
}

export interface OtpVerdict {
  readonly kind: OtpStatus;
  /** When the code ends, or has ended. */
  readonly expiresAt?: Date;
  /** Wrong tries until the last of the recipient's live codes ends. */
  readonly attemptsLeft?: number;
}

/** The answers to a key in test mode, by code. */
const testVerdicts: ReadonlyMap<string, OtpStatus> = new Map([
  ['123456', 'verified'],
  ['000001', 'not_found'],
  ['000002', 'expired'],
  ['000003', 'already_used'],
]);

/**
 * Verifies one-time passwords. Guesses that arrive together share a transaction, which locks their accounts, reads what is
 * known, judges one guess after another and writes the changes: limits are exact, and of concurrent guesses one is verified.
 */
@Injectable()
export class VerifyOtp {
  private readonly guesses: GroupCommit<Guess, Judgement>;

  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly postgres: Postgres,
    private readonly codes: OtpCodesRepository,
    private readonly webhookEvents: WebhookEvents,
    private readonly secrets: OtpSecrets,
    config: Config,
  ) {
    this.guesses = new GroupCommit({
      ...boundedLine(config),
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => this.judgeBatch(batch),
    });
  }

  /** Throws `invalid_number`, `rate_limited` for too many wrong guesses, and the errors of {@link ApiKeys.authenticate}. */
  async verify({ key, otp, to, address }: VerifyOtpInput): Promise<OtpVerdict> {
    const { accountId } = await this.apiKeys.authenticate(key, address);
    const recipient = to === undefined ? undefined : parseRecipient(to);
    if (to !== undefined && !recipient)
      throw new DomainError('invalid_number', 'This is not a valid phone number. Write it with + and country code.');
    if (key.test) return { kind: testVerdicts.get(otp) ?? 'not_found' };

    const codeHash = this.secrets.hash(accountId, otp);
    const judgement = await this.guesses.submit({ accountId, codeHash, recipient: recipient?.e164 });
    switch (judgement.kind) {
      case 'verified':
        return { kind: 'verified', expiresAt: judgement.code.endsAt };
      case 'not_found':
        return judgement;
      case 'expired':
      case 'already_used': {
        const { endsAt: expiresAt, ...verdict } = judgement;
        return { ...verdict, expiresAt };
      }
      case 'too_many': {
        const detail = 'Too many wrong codes for this account. Send "to" with the code, or wait.';
        throw new DomainError('rate_limited', detail, { retryAfterSeconds: judgement.retryAfterSeconds });
      }
    }
  }

  private async judgeBatch(batch: Guess[]): Promise<Judgement[]> {
    const judge = () => this.postgres.transaction((tx) => this.judgeIn(tx, batch));
    const { judgements, events } = await retryUndone(judge);
    this.webhookEvents.enqueue(events);
    return judgements;
  }

  private async judgeIn(
    tx: EntityManager,
    batch: Guess[],
  ): Promise<{ judgements: Judgement[]; events: (string | undefined)[] }> {
    const guards = await this.codes.lockGuards(
      tx,
      batch.map(({ accountId }) => accountId),
    );
    const amongAll = batch.filter(({ recipient }) => recipient === undefined).map(({ accountId }) => accountId);
    const live = await this.codes.countLive(tx, amongAll);
    const known = await this.codes.known(tx, batch);
    const codes = new Set(known.flatMap(({ hit, live: others }) => (hit ? [hit, ...others] : others)));
    const triesBefore = new Map([...codes].map((code) => [code, code.wrongTries]));

    const verified: { code: KnownCode; accountId: string }[] = [];
    const judgements = batch.map(({ accountId, recipient }, index): Judgement => {
      const guard = guards.get(accountId);
      const about = known[index];
      // Without its guard a guess would not be limited.
      if (!guard || !about) throw new Error('A guess lacks its locked guard');
      const judgement =
        recipient === undefined
          ? judgeAmongAll(about, guard, guessesAllowed(live.get(accountId) ?? []))
          : judgeWithRecipient(about);
      if (judgement.kind === 'verified') verified.push({ code: judgement.code, accountId });
      return judgement;
    });

    const tried = [...codes].filter((code) => code.wrongTries !== triesBefore.get(code));
    await this.codes.write(tx, [...new Set([...verified.map(({ code }) => code), ...tried])]);
    await this.codes.writeGuards(
      tx,
      [...guards.values()].filter(({ accountId, wrongGuesses }) => wrongGuesses > 0 && amongAll.includes(accountId)),
    );
    return { judgements, events: await this.webhookEvents.recordAll(tx, verified.map(eventOf)) };
  }
}

function eventOf({ code, accountId }: { code: KnownCode; accountId: string }): WebhookEvent {
  const { id, recipient, reference } = code;
  const payload = {
    message_id: publicMessageId(id),
    to: recipient,
    ...(reference !== null && { reference }),
    verified_at: new Date().toISOString(),
  };
  return { accountId, type: 'otp.verified', sourceId: id, payload };
}
