import type { CpuTimes } from './resources.js';

/** A bound on a value, or on its p99. */
export interface Goal {
  readonly atLeast?: number;
  readonly below?: number;
  readonly p99BelowMs?: number;
}

export interface Extras {
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly goal?: Goal | undefined;
  readonly note?: string;
  /** Parts whose sum is the value. */
  readonly by?: CpuTimes;
}

export interface Figure extends Extras {
  readonly part: string;
  readonly name: string;
  readonly value: number;
  readonly unit: keyof typeof units;
  /** `before`: the figure is of the checkout that the bench was run against. */
  readonly build?: 'before';
}

/** Names of units as printed, and whether more is better. */
export const units = {
  'per second': { text: '/s', isMoreBetter: true },
  points: { text: 'of 100', isMoreBetter: true },
  score: { text: '', isMoreBetter: false },
  ms: { text: 'ms', isMoreBetter: false },
  'CPU ms per 1,000': { text: 'ms/1,000', isMoreBetter: false },
  'CPU ms per second': { text: 'ms/s', isMoreBetter: false },
  MB: { text: 'MB', isMoreBetter: false },
  kB: { text: 'kB', isMoreBetter: false },
  bytes: { text: 'bytes', isMoreBetter: false },
  statements: { text: 'statements', isMoreBetter: false },
};
