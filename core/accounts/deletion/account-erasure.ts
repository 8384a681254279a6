import { Injectable } from '@nestjs/common';

/** What another feature keeps of an account and its people. */
export interface AccountErasure {
  /** What has to end before the account may go, such as '3 messages'; undefined when nothing has. */
  underWay?(accountId: string): Promise<string | undefined>;
  /** Forgets it for good; amounts and times may stay. Safe to run again. */
  forget(accountId: string): Promise<void>;
}

/** Everything that has to be forgotten with an account: each feature adds its own. */
@Injectable()
export class AccountErasures {
  private readonly traces: AccountErasure[] = [];

  add(trace: AccountErasure): void {
    this.traces.push(trace);
  }

  /** In words, what is under way in all features. */
  async underWay(accountId: string): Promise<string[]> {
    const answers = await Promise.all(this.traces.map(async (trace) => trace.underWay?.(accountId)));
    return answers.filter((answer) => answer !== undefined);
  }

  async forget(accountId: string): Promise<void> {
    for (const trace of this.traces) await trace.forget(accountId);
  }
}
