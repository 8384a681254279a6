import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../keys/api-keys.js';
import { RequestLog } from './request-log.js';
import { EmailLinks } from './sign-in/email-links.js';
import { FreeCredits } from './sign-in/free-credits.js';
import { SessionsRepository } from './sessions/sessions.repository.js';

const EXPIRED_KEYS_KEPT_DAYS = 90;

/**
 * Deletes ended sessions and links, logged API calls, API keys that expired long ago, and sign-ups
 * that no longer count.
 */
@Injectable()
export class AccountRetention {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly apiKeys: ApiKeys,
    private readonly freeCredits: FreeCredits,
    private readonly emailLinks: EmailLinks,
    private readonly requestLog: RequestLog,
  ) {}

  async run(): Promise<void> {
    await this.requestLog.retain();
    await this.sessions.purge();
    await this.apiKeys.purge(EXPIRED_KEYS_KEPT_DAYS);
    await this.freeCredits.purge();
    await this.emailLinks.purge();
  }
}
