import { Injectable } from '@nestjs/common';
import { pasted } from '#contract/characters.js';
import { limits } from '#contract/limits.js';
import type { OptionalWebhookEvent, WebhookAnswer } from '#contract/webhooks.js';
import { Notices } from '../../mail/notices.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { webhookUrlFault } from '../../rules/network-addresses.js';
import { DeliveriesRepository } from '../deliveries/deliveries.repository.js';
import { EndpointsRepository, type Endpoint } from './endpoints.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

const SHOWN_CHARACTERS = 4;

interface WebhookUrlView {
  /** The product's own URL if the account has set none. */
  readonly webhookUrl: string;
  readonly receiving: boolean;
}

const unset: Endpoint = {
  url: null,
  events: [],
  secrets: { current: null, previous: null },
  previousSecretEndsAt: null,
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  lowCredits: limits.lowCreditsDefault,
};

/** Webhook endpoints of accounts: URL, subscribed events, secret, on and off. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly postgres: Postgres,
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly secrets: WebhookSecrets,
    private readonly auditLog: AuditLog,
    private readonly notices: Notices,
    private readonly config: Config,
  ) {}

  /** Returns the account's endpoint. Creates the secret if it does not exist yet. */
  async show(accountId: string): Promise<WebhookAnswer> {
    const endpoint = (await this.endpoints.find(accountId)) ?? unset;
    const [secret = ''] = await this.secrets.of(accountId, endpoint.secrets);
    const { url, events, lowCredits, previousSecretEndsAt, failingSince, disabledAt, disabledReason } = endpoint;
    return {
      url: url ?? this.config.http.publicUrl,
      receiving: url !== null,
      events: [...events],
      lowCredits,
      secret,
      maskedSecret: masked(secret),
      previousSecretEndsAt: previousSecretEndsAt?.toISOString() ?? null,
      failingSince: failingSince?.toISOString() ?? null,
      disabled: disabledAt && disabledReason && { at: disabledAt.toISOString(), reason: disabledReason },
    };
  }

  async showUrl(accountId: string): Promise<WebhookUrlView> {
    const endpoint = await this.endpoints.find(accountId);
    return this.urlView(endpoint?.url ?? null);
  }

  /**
   * Sets the URL. An empty text or the product's own URL turns receiving off. `address` is the
   * caller's, for the audit log, here and below. Throws `webhook_url_invalid`.
   */
  async setUrl(
    accountId: string,
    text: string,
    actor: 'account' | 'operator' = 'account',
    address?: string,
  ): Promise<WebhookUrlView> {
    const given = pasted(text);
    const isDefault = given === '' || given.replace(/\/+$/, '') === this.config.http.publicUrl;
    const fault = isDefault ? undefined : webhookUrlFault(given, this.config.webhooks);
    if (fault) throw new DomainError('webhook_url_invalid', fault);
    const webhookUrl = isDefault ? null : given;
    const earlier = await this.endpoints.find(accountId);
    await this.postgres.change(async (tx) => {
      await this.endpoints.setUrl(tx, accountId, webhookUrl);
      // Deliveries paused for the old URL go to the new URL.
      await this.deliveries.resume(tx, accountId);
      // The path may contain a secret of the customer, so the audit log keeps the host only.
      const details = { host: webhookUrl && new URL(webhookUrl).host };
      const before = [earlier?.url ?? null, earlier?.disabledAt ?? null];
      const entry = { actor, accountId, action: 'webhook.changed', address, details } as const;
      await this.auditLog.recordChange(tx, entry, before, [webhookUrl, null]);
      if (webhookUrl === (earlier?.url ?? null)) return;
      const at = new Date().toISOString();
      await this.notices.send(tx, accountId, { kind: 'webhook_changed', change: 'url', host: details.host, at });
    });
    return this.urlView(webhookUrl);
  }

  /**
   * Sets the events to send beside `message.received`. Without `lowCredits` the threshold of
   * `credits.low` stays.
   */
  async setEvents(
    accountId: string,
    subscribed: readonly OptionalWebhookEvent[],
    lowCredits?: number,
    address?: string,
  ): Promise<void> {
    const events = [...new Set(subscribed)].sort();
    const before = await this.endpoints.find(accountId);
    await this.postgres.change(async (tx) => {
      await this.endpoints.setEvents(tx, accountId, events, lowCredits ?? null);
      const details = { events, lowCredits };
      const entry = { actor: 'account', accountId, action: 'webhook.events_changed', address, details } as const;
      const after = [events, lowCredits ?? before?.lowCredits];
      await this.auditLog.recordChange(tx, entry, before && [before.events, before.lowCredits], after);
    });
  }

  /**
   * Replaces the secret. Both secrets sign for a day, so that the receiver can switch without
   * losing a webhook.
   */
  async rotateSecret(accountId: string, address?: string): Promise<void> {
    const secret = this.secrets.generate();
    await this.postgres.change(async (tx) => {
      await this.endpoints.rotateSecret(tx, accountId, secret, limits.oldWebhookSecretHours);
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'webhook.secret_rotated', address });
      const at = new Date().toISOString();
      await this.notices.send(tx, accountId, { kind: 'webhook_changed', change: 'secret', host: null, at });
    });
  }

  /**
   * Turns the endpoint off for the operator; deliveries pause for up to seven days. Throws
   * `webhook_off`.
   */
  async disable(accountId: string): Promise<void> {
    const disabledAt = await this.postgres.transaction((tx) =>
      this.endpoints.disable(tx, { accountId, url: null, reason: 'operator' }),
    );
    if (!disabledAt) throw new DomainError('webhook_off', 'There is no webhook that is on.');
  }

  /**
   * Turns the endpoint on and resumes its paused deliveries; does nothing when it is on. Throws
   * `webhook_off` without a URL, and for an account whose endpoint the operator turned off.
   */
  async enable(accountId: string, actor: 'account' | 'operator', address?: string): Promise<void> {
    await this.postgres.change(async (tx) => {
      if (!(await this.endpoints.enable(tx, accountId, actor))) {
        const endpoint = await this.endpoints.find(accountId);
        if (!endpoint?.url) throw new DomainError('webhook_off', 'Set a webhook URL first.');
        if (endpoint.disabledAt)
          throw new DomainError('webhook_off', 'The operator has turned it off. Contact support.');
        return;
      }
      await this.deliveries.resume(tx, accountId);
      if (actor === 'account') await this.auditLog.record(tx, { actor, accountId, action: 'webhook.enabled', address });
    });
  }

  private urlView(webhookUrl: string | null): WebhookUrlView {
    return { webhookUrl: webhookUrl ?? this.config.http.publicUrl, receiving: webhookUrl !== null };
  }
}

/** Masks a secret except for its prefix and its last characters. */
function masked(secret: string): string {
  const [prefix = '', rest = ''] = secret.split('_', 2);
  return `${prefix}_${'•'.repeat(rest.length - SHOWN_CHARACTERS)}${rest.slice(-SHOWN_CHARACTERS)}`;
}
