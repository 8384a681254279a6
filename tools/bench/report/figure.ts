/** One measured value, and what it must reach. */
export interface Figure {
  readonly part: string;
  readonly name: string;
  readonly value: number;
  readonly unit: 'per second' | 'ms' | 'MB' | 'kB' | 'bytes' | 'points';
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly goal?: Goal;
  readonly note?: string;
}

/** A bound on the value, or on its p99. */
export interface Goal {
  readonly atLeast?: number;
  readonly below?: number;
  readonly p99BelowMs?: number;
}

/** One figure by another. */
export interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly goal?: Goal;
}

/** Something that must hold for the figures to mean anything. */
export interface Check {
  readonly part: string;
  readonly promise: string;
  readonly isSo: boolean;
  readonly seen: string;
}

/** Whether every bound of the goal is kept; undefined without a goal. */
export function isReached({ value, p99Ms, goal }: Pick<Figure, 'value' | 'p99Ms' | 'goal'>): boolean | undefined {
  if (!goal) return undefined;
  const { atLeast = -Infinity, below = Infinity, p99BelowMs = Infinity } = goal;
  return value >= atLeast && value < below && (p99Ms ?? 0) < p99BelowMs;
}
