import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { OtpStatus } from '#contract/otp-statuses.js';
import { ApiKeys } from '../keys/api-keys.js';
import { Config } from '../platform/config/config.js';
import { GroupCommit, requestLimits } from '../platform/database/group-commit.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/errors/database-error.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { otpIdFromPublic, publicOtpId } from '../rules/ids.js';
import { guessesAllowed, typedCodeOf } from '../rules/otp.js';
import { noNumberText, parseRecipient } from '../rules/phone-numbers.js';
import {
  judgeAmongAll,
  judgeNamed,
  type Guess,
  type Judgement,
  type KnownAboutGuess,
  type KnownCode,
} from './judge-guess.js';
import { OtpCodesRepository } from './otp-codes.repository.js';
import { lockGuards, type OtpGuard, writeGuards } from './guard/otp-guards.sql.js';
import { otpEvent, OtpEvents } from './otp-events.js';
import { OtpSecrets } from './otp-secrets.js';
import { OtpSettings } from './otp-settings.js';
import { testVerdict } from './test-otps.js';
import type { ApiKey } from '../keys/api-key.js';

const BATCH_MAX = 100;
/** Parallel batches would mostly wait for each other's locks. */
const BATCHES_IN_FLIGHT_MAX = 1;

interface VerifyOtpInput {
  readonly key: ApiKey;
  /** Code as typed. */
  readonly otp: string;
  /** The recipient's number, if the caller names it. */
  readonly to: string | undefined;
  /** The public id of the code, if the caller names it. */
  readonly otpId: string | undefined;
  /** The caller's network address. */
  readonly address: string;
}

/** A code that a guess has ended, and the fields of its event. */
interface EndedCode {
  readonly type: 'otp.verified' | 'otp.failed';
  readonly code: KnownCode;
  readonly fields: Readonly<Record<string, string>>;
}

export interface OtpVerdict {
  readonly kind: OtpStatus;
  /** The verified code. */
  readonly verified?: { readonly otpId?: string; readonly recipient: string };
  /** Time at which the code ends or ended. */
  readonly expiresAt?: Date;
  /** Wrong tries until the last of the named live codes ends. */
  readonly attemptsLeft?: number;
}

const tooMany = {
  account: 'Too many wrong codes for this account. Send "to" or "otp_id" with the code, or wait.',
  recipient: `Too many guesses at the codes of ${limits.otpDigitsMin} digits for this number. Longer codes allow more.`,
};

/**
 * Recipient of a code that a test key verifies without a recipient: reserved for examples
 * (nanpa.com, 555 line numbers).
 */
const TEST_RECIPIENT = '+12025550142';

/**
 * Verifies one-time passwords. Guesses that arrive together share a transaction, which locks their
 * accounts, reads the known codes, judges the guesses in order and writes the changes: limits are
 * exact, and of concurrent guesses one is verified.
 */
@Injectable()
export class VerifyOtp {
  private readonly guesses: GroupCommit<Guess, Judgement>;

  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly postgres: Postgres,
    private readonly codes: OtpCodesRepository,
    private readonly events: OtpEvents,
    private readonly secrets: OtpSecrets,
    private readonly settings: OtpSettings,
    private readonly config: Config,
  ) {
    this.guesses = new GroupCommit({
      ...requestLimits(config),
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => this.judgeBatch(batch),
    });
  }

  /**
   * Throws `invalid_number`, `missing_fields`, `rate_limited` for too many wrong guesses, and the
   * errors of {@link ApiKeys.authenticate}.
   */
  async verify({ key, otp, to, otpId, address }: VerifyOtpInput): Promise<OtpVerdict> {
    const { accountId } = await this.apiKeys.authenticate(key, address, 'otp');
    const recipient = to === undefined ? undefined : parseRecipient(to);
    if (to !== undefined && !recipient) throw new DomainError('invalid_number', noNumberText(to));
    const digits = typedCodeOf(otp);
    if (
      (key.test || digits === undefined) &&
      !isNamed({ recipient: recipient?.e164, otpId }) &&
      (await this.settings.isRecipientRequired(accountId))
    )
      throw recipientRequired();
    if (key.test) return testVerdictOf(testVerdict(digits, otpId), recipient?.e164);
    // A text that cannot be a code is no guess, so it costs no attempt.
    if (digits === undefined) return { kind: 'not_found' };

    const id = otpId === undefined ? undefined : otpIdFromPublic(otpId);
    // An id of another form names no code.
    if (otpId !== undefined && id === undefined) return { kind: 'not_found' };
    const codeHash = this.secrets.hash(accountId, digits);
    const isShort = digits.length === limits.otpDigitsMin;
    const judgement = await this.guesses.submit({
      accountId,
      codeHash,
      isShort,
      recipient: recipient?.e164,
      otpId: id,
    });
    switch (judgement.kind) {
      case 'verified': {
        const { code } = judgement;
        const verified = { otpId: publicOtpId(code.id), recipient: code.recipient };
        return { kind: 'verified', verified, expiresAt: code.endsAt };
      }
      case 'not_found':
        return judgement;
      case 'expired':
      case 'already_used': {
        const { endsAt: expiresAt, ...verdict } = judgement;
        return { ...verdict, expiresAt };
      }
      case 'too_many': {
        const detail = tooMany[judgement.of];
        throw new DomainError('rate_limited', detail, { retryAfterSeconds: judgement.retryAfterSeconds });
      }
      case 'recipient_required':
        throw recipientRequired();
    }
  }

  private async judgeBatch(batch: Guess[]): Promise<Judgement[]> {
    return retryUndone(() => this.postgres.transaction((tx) => this.judgeIn(tx, batch)));
  }

  private async judgeIn(tx: EntityManager, batch: Guess[]): Promise<Judgement[]> {
    const guards = await lockGuards(this.postgres, tx, batch);
    const amongAll = batch.filter((guess) => !isNamed(guess)).map(({ accountId }) => accountId);
    const live = await this.codes.countLive(tx, amongAll);
    const known = await this.codes.known(tx, batch);
    const codes = new Set(known.flatMap(({ hit, live: others }) => (hit ? [hit, ...others] : others)));
    const stateBefore = new Map([...codes].map((code) => [code, code.state]));
    const triesBefore = new Map([...codes].map((code) => [code, code.wrongTries]));

    const shorts = [...new Set([...codes].flatMap(({ short }) => short ?? []))];
    const shortGuesses = new Map<string, number>();
    const judgeUnnamed = ({ accountId, isShort }: Guess, about: KnownAboutGuess, guard: OtpGuard): Judgement => {
      const counts = live.get(accountId) ?? [];
      const hasShort = counts.some(({ digits }) => digits === limits.otpDigitsMin);
      const recipients = shorts.filter((short) => short.accountId === accountId);
      const shortBefore = guard.shortGuesses;
      const allowance = { guesses: guessesAllowed(counts), hasShort };
      const judgement = judgeAmongAll(about, isShort, guard, allowance, recipients);
      if (guard.shortGuesses > shortBefore) shortGuesses.set(accountId, (shortGuesses.get(accountId) ?? 0) + 1);
      return judgement;
    };
    const ended: EndedCode[] = [];
    const judgements = batch.map((guess, index): Judgement => {
      const { accountId } = guess;
      const guard = guards.get(accountId);
      const about = known[index];
      // Without its guard a guess would not be limited.
      if (!guard || !about) throw new Error('A guess lacks its locked guard');
      const open = about.live.filter(({ state }) => state === 'live');
      const judgement = isNamed(guess) ? judgeNamed(about, guess.isShort) : judgeUnnamed(guess, about, guard);
      const at = new Date().toISOString();
      if (judgement.kind === 'verified')
        ended.push({ type: 'otp.verified', code: judgement.code, fields: { verified_at: at } });
      for (const code of open)
        if (code.state === 'over') ended.push({ type: 'otp.failed', code, fields: { failed_at: at } });
      return judgement;
    });

    const changed = [...codes].filter(
      (code) => code.state !== stateBefore.get(code) || code.wrongTries !== triesBefore.get(code),
    );
    await this.codes.write(tx, changed);
    const verified = judgements.flatMap((judgement) => (judgement.kind === 'verified' ? [judgement.code] : []));
    const stepFields = await this.codes.endSteps(tx, changed);
    // A code with channels may have gone to another number or to an address, so it proves nothing about its number.
    if (this.config.signIn.freeCreditsOwnNumber)
      await this.codes.noteVerified(
        tx,
        verified.filter(({ step }) => step === null),
      );
    await this.codes.tryShortCodes(tx, shortGuesses);
    await writeGuards(
      this.postgres,
      tx,
      [...guards.values()].filter(({ accountId, wrongGuesses }) => wrongGuesses > 0 && amongAll.includes(accountId)),
    );
    await this.events.report(
      tx,
      changed,
      ended.map(({ type, code, fields }) => otpEvent(type, code, { ...fields, ...stepFields.get(code.id) })),
    );
    return judgements;
  }
}

/** Returns whether a guess names its recipient or its code. */
function isNamed({ recipient, otpId }: Pick<Guess, 'recipient' | 'otpId'>): boolean {
  return recipient !== undefined || otpId !== undefined;
}

function recipientRequired(): DomainError {
  return new DomainError('missing_fields', 'Send "to" or "otp_id" with the code: this account requires it.');
}

function testVerdictOf(kind: OtpStatus, recipient: string | undefined): OtpVerdict {
  return kind === 'verified' ? { kind, verified: { recipient: recipient ?? TEST_RECIPIENT } } : { kind };
}
