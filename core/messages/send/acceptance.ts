import { Injectable } from '@nestjs/common';
import { Credits } from '../../credits/credits.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Tracer } from '../../platform/telemetry/tracer.js';
import { Senders } from '../senders/senders.js';
import type { AcceptanceRow, DryRunRow, RepeatableDryRunRow } from './acceptance-batch.js';
import type { Decision, DryRunDecision, FinalDecision, RepeatableDryRunDecision, Undecided } from './decision.js';
import { RunAcceptance } from './run-acceptance.js';

const ATTEMPTS_MAX = 6;

/**
 * Decides, charges and stores requests; each request is decided as if alone. Throws `unavailable`
 * when too many requests wait for the database, and when the account has no sender; `from_unknown`
 * or `from_inactive` when the named number was just removed.
 */
@Injectable()
export class Acceptance {
  constructor(
    private readonly run: RunAcceptance,
    private readonly senders: Senders,
    private readonly credits: Credits,
    private readonly accountEvents: AccountEvents,
    private readonly tracer: Tracer,
  ) {}

  /**
   * Ranks the senders of a message that has none, and runs the statement, which chooses among them, until
   * its outcome is final:
   *
   * | Outcome             | Next                                                   |
   * | ------------------- | ------------------------------------------------------ |
   * | `again`             | by itself: it depended on a neighbor in its batch      |
   * | `behind_bulk`       | after the bulk of its account                          |
   * | `no_credit_account` | by itself, after the account got one                   |
   * | `sender_changed`    | with senders read again: these are not the account's   |
   * | any other           | the decision                                           |
   */
  async decide(row: DryRunRow, context?: RequestContext): Promise<DryRunDecision>;
  async decide(row: RepeatableDryRunRow, context?: RequestContext): Promise<RepeatableDryRunDecision>;
  async decide(row: AcceptanceRow, context?: RequestContext): Promise<FinalDecision>;
  async decide(row: AcceptanceRow, context?: RequestContext): Promise<RepeatableDryRunDecision | FinalDecision> {
    let choosesSender = row.sender === null && row.recipient !== null;
    let next: keyof Pick<RunAcceptance, 'together' | 'byItself' | 'behindBulk'> = 'together';
    let outcome: Decision | Undecided | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      if (choosesSender)
        row.candidates = await this.senders.candidatesFor(row.key, row.recipient ?? '', row.country ?? '', {
          codeId: row.kind === 'otp' ? row.id : undefined,
          from: row.from,
          hasFiles: row.kind === 'mms',
        });
      outcome = await this.tracer.within('acceptance', { parent: context?.traceparent }, () => this.run[next](row));
      switch (outcome.kind) {
        case 'again':
          next = 'byItself';
          break;
        case 'behind_bulk':
          next = 'behindBulk';
          break;
        case 'no_credit_account':
          await this.credits.ensure(outcome.accountId);
          next = 'byItself';
          break;
        case 'sender_changed':
          await this.senders.renew();
          choosesSender ||= row.files !== undefined;
          break;
        case 'accepted':
          row.sender = outcome.sender;
          this.accountEvents.changed(outcome.account.id, row.id);
          return outcome;
        case 'approved':
        case 'previewed':
        case 'replayed':
        case 'deduplicated':
        case 'refused':
          return outcome;
      }
    }
    return outcome?.kind === 'sender_changed'
      ? { kind: 'refused', account: null, code: 'lost', cause: new Error('The senders keep changing') }
      : { kind: 'refused', account: null, code: 'idempotency_in_progress' };
  }
}
