import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { ApiKeysRepository } from './keys/api-keys.repository.js';
import { SessionsRepository } from './sessions/sessions.repository.js';

const ENDED_KEYS_KEPT_DAYS = 90;

/** Forgets sessions that are over, and keys that ended long ago. */
@Injectable()
export class AccountRetention {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly keys: ApiKeysRepository,
  ) {}

  async run(): Promise<void> {
    await this.sessions.purge(limits.sessionIdleDaysMax);
    await this.keys.purge(ENDED_KEYS_KEPT_DAYS);
  }
}
