import { Injectable } from '@nestjs/common';
import { ApiKeysRepository } from './api-keys.repository.js';
import { SessionsRepository } from './sessions/sessions.repository.js';

const EXPIRED_KEYS_KEPT_DAYS = 90;

/** Deletes ended sessions, and API keys that expired long ago. */
@Injectable()
export class AccountRetention {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly keys: ApiKeysRepository,
  ) {}

  async run(): Promise<void> {
    await this.sessions.purge();
    await this.keys.purge(EXPIRED_KEYS_KEPT_DAYS);
  }
}
