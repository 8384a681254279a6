import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/accounts.js';
import { Mails } from '../../mail/mails.js';
import { Notices } from '../../mail/notices.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { EndpointsRepository } from './endpoints.repository.js';

/**
 * Maximum of remembered accounts whose owner was emailed, so that further failures need no
 * statement.
 */
const REMEMBERED_MAX = 10_000;

/** An endpoint of which every call has failed for some time. */
interface Failing {
  readonly accountId: string;
  readonly url: string;
  readonly since: Date;
  /** The last call's HTTP status, or the reason for the missing answer. */
  readonly failure: string;
}

/**
 * Emails the owner of an endpoint that keeps failing, and turns it off after 410 Gone or days of
 * failures.
 */
@Injectable()
export class FailingEndpoints {
  /** Start of the failures that this process has emailed about, by account. */
  private readonly warned = new Map<string, number>();

  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly accounts: Accounts,
    private readonly mails: Mails,
    private readonly notices: Notices,
    private readonly logger: Logger,
  ) {}

  /** Emails the owner, once for each time that the endpoint begins to fail. */
  async warn({ accountId, url, since, failure }: Failing): Promise<void> {
    if (this.warned.get(accountId) === since.getTime()) return;
    const { host } = new URL(url);
    const content = { kind: 'webhook_failing', host, since: since.toISOString(), failure } as const;
    await this.postgres.transaction((tx) =>
      this.notices.send(tx, accountId, content, `${accountId} ${since.toISOString()}`),
    );
    if (this.warned.size >= REMEMBERED_MAX) this.warned.clear();
    this.warned.set(accountId, since.getTime());
  }

  /** Does nothing when the endpoint is off already or its URL has changed since. */
  async disable(accountId: string, url: string, reason: 'gone' | 'failing'): Promise<void> {
    const { email } = await this.accounts.get(accountId);
    await this.postgres.transaction(async (tx) => {
      const disabledAt = await this.endpoints.disable(tx, { accountId, url, reason });
      if (!disabledAt) return;
      const { host } = new URL(url);
      const content = { kind: 'webhook_disabled' as const, host, reason };
      const sourceId = `${accountId} ${disabledAt.toISOString()}`;
      this.logger.warn({ accountId, host, reason }, 'webhook turned off');
      await this.mails.queue(tx, { accountId, recipient: email, sourceId, content });
    });
  }
}
