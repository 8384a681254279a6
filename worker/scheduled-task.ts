import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#core/platform/telemetry/logger.js';

interface ScheduledTaskOptions {
  readonly name: string;
  readonly everyMs: number;
  /** Answers whether there is more to do at once. */
  readonly run: () => Promise<boolean>;
  readonly logger: Logger;
  /** Told how each round ended. */
  readonly onRound?: (result: 'done' | 'failed') => void;
}

/** Work that a worker does again and again, one round at a time. A round that fails is logged, and the next one comes. */
export class ScheduledTask {
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>;

  constructor(private readonly options: ScheduledTaskOptions) {
    this.ended = this.loop();
  }

  /** Resolves when the round under way has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
  }

  private async loop(): Promise<void> {
    const { name, everyMs, run, logger, onRound } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const more = await run().then(
        (answer) => {
          onRound?.('done');
          return answer;
        },
        (err: unknown) => {
          onRound?.('failed');
          logger.error({ err, loop: name }, 'recurring work failed');
          return false;
        },
      );
      if (!more) await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
