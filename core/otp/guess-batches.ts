import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Config } from '../platform/config/config.js';
import { boundedLine } from '../platform/database/bounded-line.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/database/retry-undone.js';
import { publicMessageId } from '../rules/ids.js';
import { guessesAllowed } from '../rules/otp.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';
import { judgeAmongAll, judgeWithRecipient, type Judgement } from './judge-guess.js';
import { OtpCodesRepository, type Guess, type KnownAboutGuess, type KnownCode } from './otp-codes.repository.js';
import { OtpGuardsRepository } from './otp-guards.repository.js';

const BATCH_MAX = 100;
/** Two would mostly wait for each other's accounts. */
const BATCHES_IN_FLIGHT_MAX = 1;

/**
 * Judges guesses, those that arrive together in one transaction. It holds the lock of each account concerned, reads what is
 * known, judges one guess after the other and writes down what changed: so bounds are exact, and of two guesses one wins.
 */
@Injectable()
export class GuessBatches {
  private readonly group: GroupCommit<Guess, Judgement>;

  constructor(
    private readonly postgres: Postgres,
    private readonly guards: OtpGuardsRepository,
    private readonly codes: OtpCodesRepository,
    private readonly webhookEvents: WebhookEvents,
    config: Config,
  ) {
    this.group = new GroupCommit({
      ...boundedLine(config),
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => this.judgeAll(batch),
    });
  }

  judge(guess: Guess): Promise<Judgement> {
    return this.group.submit(guess);
  }

  private async judgeAll(batch: Guess[]): Promise<Judgement[]> {
    const judge = () => this.postgres.transaction((tx) => this.judgeIn(tx, batch));
    const { judgements, events } = await retryUndone(judge);
    this.webhookEvents.wake(events);
    return judgements;
  }

  private async judgeIn(
    tx: EntityManager,
    batch: Guess[],
  ): Promise<{ judgements: Judgement[]; events: (string | undefined)[] }> {
    const guards = await this.guards.lock(
      tx,
      batch.map(({ accountId }) => accountId),
    );
    const amongAll = batch.filter(({ recipient }) => recipient === undefined).map(({ accountId }) => accountId);
    const live = await this.codes.countLive(tx, amongAll);
    const known = await this.codes.known(tx, batch);
    const codes = codesOf(known);
    const before = new Map([...codes].map((code) => [code, code.wrongTries]));

    const judgements = batch.map(({ accountId, recipient }, index) => {
      const guard = guards.get(accountId);
      const about = known[index];
      if (!guard || !about) throw new Error('Every guess has its guard and what is known about it');
      if (recipient !== undefined) return judgeWithRecipient(about);
      return judgeAmongAll(about, guard, guessesAllowed(live.get(accountId) ?? []));
    });

    const verified = judgements.flatMap((judgement, index) =>
      judgement.kind === 'verified' ? [{ code: judgement.code, accountId: batch[index]?.accountId ?? '' }] : [],
    );
    const tried = [...codes].filter((code) => code.wrongTries !== before.get(code));
    await this.codes.write(tx, [...new Set([...verified.map(({ code }) => code), ...tried])]);
    await this.guards.write(
      tx,
      [...guards.values()].filter(({ accountId, wrongGuesses }) => wrongGuesses > 0 && amongAll.includes(accountId)),
    );
    return { judgements, events: await this.webhookEvents.recordAll(tx, verified.map(eventOf)) };
  }
}

function codesOf(known: readonly KnownAboutGuess[]): Set<KnownCode> {
  return new Set(known.flatMap(({ hit, live }) => (hit ? [hit, ...live] : live)));
}

function eventOf({ code: { id, recipient, reference }, accountId }: { code: KnownCode; accountId: string }) {
  const payload = {
    message_id: publicMessageId(id),
    to: recipient,
    ...(reference !== null && { reference }),
    verified_at: new Date().toISOString(),
  };
  return { accountId, type: 'otp.verified' as const, sourceId: id, payload };
}
