import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { ApiKeys } from '../api-keys.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const SHOWN_CHARACTERS = 4;

export interface KeysView {
  /** The current key, readable, and as a page shows it at first. */
  readonly apiKey: string;
  readonly masked: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** Keys of earlier times that still work, and until when. */
  readonly earlier: readonly { masked: string; lastUsedAt: Date | null; expiresAt: Date }[];
}

/** An account's own keys, for its dashboard. */
@Injectable()
export class ShowKeys {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly apiKeys: ApiKeys,
  ) {}

  async run(accountId: string): Promise<KeysView> {
    const valid = await this.keys.valid(accountId);
    const current = valid.find(({ expiresAt }) => expiresAt === null);
    if (!current) throw new DomainError('account_not_found', 'The account has no API key.');
    const apiKey = this.apiKeys.decrypt(current);
    return {
      apiKey,
      masked: masked(apiKey),
      createdAt: current.createdAt,
      lastUsedAt: current.lastUsedAt,
      earlier: valid.flatMap((key) =>
        key.expiresAt === null
          ? []
          : [{ masked: masked(this.apiKeys.decrypt(key)), lastUsedAt: key.lastUsedAt, expiresAt: key.expiresAt }],
      ),
    };
  }
}

/** Dots, but for the end by which its owner knows it. */
function masked(key: string): string {
  return key.slice(0, -SHOWN_CHARACTERS).replace(/[^-]/g, '•') + key.slice(-SHOWN_CHARACTERS);
}
