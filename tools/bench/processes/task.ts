/** What a task's process sends back: one of both is set. */
export interface TaskAnswer<Result> {
  readonly result?: Result;
  readonly error?: string;
}

/** For the main file of a task: does the one job that the bench sends, answers, and ends; also when the bench is gone. */
export function answerOneJob(work: (job: never) => Promise<object>): void {
  process.once('disconnect', () => process.exit(1));
  process.once('message', (job) => void run(job as never));

  async function run(job: never): Promise<void> {
    process.send?.(await answerOf(job));
  }

  async function answerOf(job: never): Promise<TaskAnswer<object>> {
    try {
      return { result: await work(job) };
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  }
}
