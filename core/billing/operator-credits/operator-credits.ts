import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidV7, validate as isUuid } from 'uuid';
import { Accounts } from '../../accounts/accounts.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Credits } from '../../credits/credits.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { RedeemCodes } from '../redeem-codes.js';
import { CreditRequestsRepository, type CreditRequest, type NewCreditRequest } from './credit-requests.repository.js';

export type { CreditRequest };

const WAIT_DAYS = 7;

/** A code to create: `credits` for each of up to `uses` accounts. */
export interface CodeTerms {
  readonly credits: number;
  readonly uses: number;
  readonly expiresAt: Date | null;
  readonly why: string | null;
}

/** Credits moved, with the code of a redeem code; or a request that a second operator approves. */
export type CreditOutcome =
  | { readonly kind: 'applied'; readonly code: string | null }
  | { readonly kind: 'waiting'; readonly request: CreditRequest };

/**
 * Credits that operators add and remove: by adjustments, redeem codes and the first credits of
 * accounts. Within 24 hours an operator moves up to `ADJUSTMENT_APPROVAL_CREDITS` alone; requests
 * beyond that wait seven days for a second operator. Each step is in the audit log, in the
 * transaction of its change.
 */
@Injectable()
export class OperatorCredits {
  constructor(
    private readonly postgres: Postgres,
    private readonly requests: CreditRequestsRepository,
    private readonly accounts: Accounts,
    private readonly credits: Credits,
    private readonly codes: RedeemCodes,
    private readonly auditLog: AuditLog,
    private readonly config: Config,
  ) {}

  /**
   * Adds credits to an account, or removes them when `credits` is negative. Throws
   * `account_not_found`, and `insufficient_credits` when it removes more than there are.
   */
  async adjust(operator: string, email: string, credits: number, why: string): Promise<CreditOutcome> {
    const { id: accountId } = await this.accounts.getByEmail(email);
    const request = { kind: 'adjustment', accountId, credits, uses: 1, codeExpiresAt: null, why } as const;
    return this.postgres.transaction((tx) => this.applyOrAsk(tx, operator, request));
  }

  /** Creates a redeem code. The credits of all its uses count. */
  async createCode(operator: string, { credits, uses, expiresAt, why }: CodeTerms): Promise<CreditOutcome> {
    const request = { kind: 'code', accountId: null, credits, uses, codeExpiresAt: expiresAt, why } as const;
    return this.postgres.transaction((tx) => this.applyOrAsk(tx, operator, request));
  }

  /**
   * Creates an account with credits. Throws `account_exists`, and `invalid_request` when the
   * credits need a second operator: an account does not wait for its credits.
   */
  async createAccount(
    operator: string,
    { email, displayName, credits }: { email: string; displayName: string; credits: number },
  ): Promise<{ id: string; email: string; apiKey: string }> {
    const id = randomUUID();
    return this.postgres.ofAccount(id, () =>
      this.postgres.transaction(async (tx) => {
        const created = await this.accounts.createWithoutCredits(tx, { id, email, displayName, signInType: 'google' });
        await this.credits.open(tx, id, credits);
        if (credits > 0) {
          const request = { kind: 'account', accountId: id, credits, uses: 1, codeExpiresAt: null, why: null } as const;
          if (!(await this.mayMoveAlone(tx, operator, credits))) throw this.tooManyForAccount();
          await this.requests.insert(tx, { ...request, ...newRequest(operator, 'applied') }, WAIT_DAYS);
        }
        return created;
      }),
    );
  }

  /** Returns the requests that wait, oldest first, with the addresses of their accounts. */
  async waiting(): Promise<(CreditRequest & { email: string | null })[]> {
    const requests = await this.requests.waiting();
    const emails = await this.accounts.emailsOf(requests.flatMap(({ accountId }) => accountId ?? []));
    return requests.map((request) => ({ ...request, email: emails.get(request.accountId ?? '') ?? null }));
  }

  /**
   * Approves a request of another operator and moves its credits, in one transaction. Throws
   * `not_found` for an unknown id, `invalid_request` for the operator's own request and for a
   * request that no longer waits, and `insufficient_credits`, after which it still waits.
   */
  async approve(operator: string, id: string): Promise<{ request: CreditRequest; code: string | null }> {
    const asked = await this.get(id);
    if (asked.requestedBy === operator)
      throw new DomainError('invalid_request', `This is ${operator}'s own request: another operator approves it.`);
    const code = await this.decided(asked, operator, 'approved', (tx) => this.apply(tx, asked));
    return { request: await this.get(id), code };
  }

  /**
   * Rejects a request, also the operator's own. Throws `not_found`, and `invalid_request` if the
   * request no longer waits.
   */
  async reject(operator: string, id: string): Promise<CreditRequest> {
    await this.decided(await this.get(id), operator, 'rejected', async () => null);
    return this.get(id);
  }

  private async applyOrAsk(
    tx: EntityManager,
    operator: string,
    asked: Omit<NewCreditRequest, 'id' | 'status' | 'requestedBy'>,
  ): Promise<CreditOutcome> {
    const isAlone = await this.mayMoveAlone(tx, operator, asked.credits * asked.uses);
    const fresh = { ...asked, ...newRequest(operator, isAlone ? 'applied' : 'waiting') };
    const request = await this.requests.insert(tx, fresh, WAIT_DAYS);
    if (isAlone) return { kind: 'applied', code: await this.apply(tx, request) };
    await this.record(tx, request, 'credits.requested');
    return { kind: 'waiting', request };
  }

  private async mayMoveAlone(tx: EntityManager, operator: string, credits: number): Promise<boolean> {
    const { approvalCredits } = this.config.operator;
    if (approvalCredits === undefined) return true;
    return (await this.requests.movedAlone(tx, operator)) + Math.abs(credits) <= approvalCredits;
  }

  /** Returns the code of a request for a code, otherwise null. */
  private async apply(tx: EntityManager, request: CreditRequest): Promise<string | null> {
    const { id, accountId, credits, uses, codeExpiresAt, why } = request;
    if (accountId === null) return this.codes.create(tx, credits, uses, codeExpiresAt);
    await this.accounts.adjustCredits(tx, { accountId, credits, sourceId: id, why });
    return null;
  }

  /**
   * Decides and applies the decision, once: a second decision waits for the first, and is refused.
   */
  private decided<T>(
    asked: CreditRequest,
    operator: string,
    status: 'approved' | 'rejected',
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    const { id, accountId } = asked;
    const inTransaction = () =>
      this.postgres.transaction(async (tx) => {
        if (!(await this.requests.decide(tx, id, status, operator))) throw notWaiting(await this.requests.read(tx, id));
        const result = await work(tx);
        await this.record(tx, asked, `credits.${status}`);
        return result;
      });
    return accountId === null ? inTransaction() : this.postgres.ofAccount(accountId, inTransaction);
  }

  private async record(
    tx: EntityManager,
    { id, accountId, kind, credits, uses, why, requestedBy }: CreditRequest,
    action: 'credits.requested' | 'credits.approved' | 'credits.rejected',
  ): Promise<void> {
    const details = { request: id, kind, credits, uses, why, requestedBy };
    await this.auditLog.record(tx, { actor: 'operator', accountId, action, details });
  }

  private async get(id: string): Promise<CreditRequest> {
    const request = isUuid(id) ? await this.requests.find(id) : null;
    if (request) return request;
    throw new DomainError('not_found', `No request has the id ${id}. "approvals list" shows those that wait.`);
  }

  private tooManyForAccount(): DomainError {
    return new DomainError(
      'invalid_request',
      `Within 24 hours you may give ${this.config.operator.approvalCredits} credits alone. Create the account with ` +
        'fewer, then ask for the others with "credits adjust".',
    );
  }
}

function newRequest(operator: string, status: 'applied' | 'waiting') {
  return { id: uuidV7(), requestedBy: operator, status };
}

function notWaiting({ status, decidedBy, decidedAt, expiresAt }: CreditRequest): DomainError {
  if (status === 'waiting') return new DomainError('invalid_request', `It has expired: ${expiresAt?.toISOString()}.`);
  if (decidedBy === null) return new DomainError('invalid_request', 'It needed no approval.');
  return new DomainError('invalid_request', `${decidedBy} ${status} it at ${decidedAt?.toISOString()}.`);
}
