import { limits } from '#contract/limits.js';
import type { TotpMethod, TotpStatus } from '#contract/totp.js';
import type { TotpEntity } from './totp.entity.js';

const LOCK_MS = limits.totpLockMinutes * 60_000;

/** The part of an authenticator that decides about codes. */
export type TotpState = Readonly<
  Pick<
    TotpEntity,
    'lastStep' | 'wrongTries' | 'lockedUntil' | 'recoveryHashes' | 'usedRecoveryHashes' | 'verifiedAt' | 'lastUsedAt'
  >
>;

/** A code that was entered. */
export type EnteredCode =
  /** `step` is the time step whose code it is; undefined for a code of no step within the drift. */
  | { readonly method: 'app'; readonly step: number | undefined }
  | { readonly method: 'recovery_code'; readonly hash: Buffer }
  /** A text that cannot be a code is no try. */
  | undefined;

/** The result of a code, and the state after it. */
export interface TotpJudgement {
  readonly status: TotpStatus;
  /** The kind of code that was verified, or used before; null for other results. */
  readonly method: TotpMethod | null;
  readonly state: TotpState;
}

/**
 * Judges a code at a time. A step is accepted once, and never after a later one (RFC 6238, section 5.2); so is a
 * recovery code. Wrong codes lock an authenticator, which judges none until the lock ends; codes used before do not.
 */
export function judgeCode(stored: TotpState, entered: EnteredCode, now: Date): TotpJudgement {
  const state = stateAt(stored, now);
  if (state.lockedUntil) return { status: 'locked', method: null, state };
  if (!entered) return { status: 'wrong', method: null, state };
  const { method } = entered;
  switch (method) {
    case 'app': {
      const { step } = entered;
      if (step === undefined) return wrong(state, now);
      if (state.lastStep !== null && step <= state.lastStep) return { status: 'used', method, state };
      const verifiedAt = state.verifiedAt ?? now;
      return verified(method, { ...state, lastStep: step, verifiedAt }, now);
    }
    case 'recovery_code': {
      const isHash = (hash: Buffer) => hash.equals(entered.hash);
      if (state.usedRecoveryHashes.some(isHash)) return { status: 'used', method, state };
      if (!state.recoveryHashes.some(isHash)) return wrong(state, now);
      const recoveryHashes = state.recoveryHashes.filter((hash) => !isHash(hash));
      const usedRecoveryHashes = [...state.usedRecoveryHashes, entered.hash];
      return verified(method, { ...state, recoveryHashes, usedRecoveryHashes }, now);
    }
  }
}

/** Returns the state without a lock that has ended, after which all tries are there again. */
export function stateAt<State extends Pick<TotpState, 'lockedUntil' | 'wrongTries'>>(state: State, now: Date): State {
  if (state.lockedUntil === null || state.lockedUntil > now) return state;
  return { ...state, lockedUntil: null, wrongTries: 0 };
}

/** Returns the number of wrong tries until an authenticator is locked; 0 while it is. */
export function attemptsLeftOf({ wrongTries }: Pick<TotpState, 'wrongTries'>): number {
  return Math.max(0, limits.totpTriesMax - wrongTries);
}

function verified(method: TotpMethod, state: TotpState, now: Date): TotpJudgement {
  return { status: 'verified', method, state: { ...state, wrongTries: 0, lastUsedAt: now } };
}

function wrong(state: TotpState, now: Date): TotpJudgement {
  const wrongTries = state.wrongTries + 1;
  const lockedUntil = wrongTries >= limits.totpTriesMax ? new Date(now.getTime() + LOCK_MS) : null;
  return { status: 'wrong', method: null, state: { ...state, wrongTries, lockedUntil } };
}
