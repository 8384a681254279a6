import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { SharedCounters } from './shared-counters.js';

/** State of one key's window. */
export interface Usage {
  readonly isOver: boolean;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/**
 * Fixed-window limiter, shared by all processes through Redis; while Redis is unavailable, and
 * without it, each process counts for itself.
 */
export class RateLimiter {
  private readonly limiter: RateLimiterAbstract;
  private readonly points: number;

  constructor(
    counters: SharedCounters,
    { name, points, durationSeconds }: { name: string; points: number; durationSeconds: number },
  ) {
    this.points = points;
    this.limiter = counters.limiter({
      points,
      duration: durationSeconds,
      keyPrefix: counters.key(`${name}-${points}`),
    });
  }

  /** Counts uses, 1 by default. Uses beyond the limit count too. */
  async take(key: string, uses = 1): Promise<Usage> {
    try {
      return usage(await this.limiter.consume(key, uses), false);
    } catch (result) {
      // The library throws the result when the limit is exceeded; anything else it throws is an
      // error.
      if (result instanceof RateLimiterRes) return usage(result, true);
      throw result;
    }
  }

  /**
   * Reads a window without counting; undefined for an unused key. `isOver` is true when no use is
   * left.
   */
  async get(key: string): Promise<Usage | undefined> {
    const result = await this.limiter.get(key);
    return result ? usage(result, result.consumedPoints >= this.points) : undefined;
  }

  /** Takes uses back, 1 by default. */
  async giveBack(key: string, uses = 1): Promise<void> {
    await this.limiter.reward(key, uses);
  }

  async reset(key: string): Promise<void> {
    await this.limiter.delete(key);
  }
}

type WindowState = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;

export function usage({ remainingPoints, msBeforeNext }: WindowState, isOver: boolean): Usage {
  return {
    isOver,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  };
}
