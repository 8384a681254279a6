import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Gives a webhook a new secret. For a day both sign, so that a receiver may take up the new one in its own time. */
@Injectable()
export class RotateSecret {
  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly secrets: WebhookSecrets,
    private readonly auditLog: AuditLog,
  ) {}

  async run(accountId: string): Promise<void> {
    const { sealed, keyId } = this.secrets.generate();
    await this.postgres.transaction(async (tx) => {
      await this.endpoints.rotateSecret(tx, accountId, { sealed, keyId, keepHours: limits.oldWebhookSecretHours });
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'webhook.secret_rotated' });
    });
  }
}
