import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { WebhookAnswer } from '#contract/webhooks.js';
import { Config } from '../../platform/config/config.js';
import { EndpointsRepository, type Endpoint } from './endpoints.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

const SHOWN_CHARACTERS = 4;

const unset: Endpoint = {
  url: null,
  events: [],
  secret: null,
  secretKeyId: null,
  previousSecret: null,
  previousSecretKeyId: null,
  previousSecretEndsAt: null,
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  lowCredits: limits.lowCreditsDefault,
};

/** An account's webhook, for its dashboard. The first look makes the secret. */
@Injectable()
export class ShowWebhook {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly secrets: WebhookSecrets,
    private readonly config: Config,
  ) {}

  async run(accountId: string): Promise<WebhookAnswer> {
    const endpoint = (await this.endpoints.find(accountId)) ?? unset;
    const [secret = ''] = await this.secrets.of(accountId, endpoint);
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
}

/** Dots, but for its kind and the end by which its owner knows it. */
function masked(secret: string): string {
  const [kind = '', rest = ''] = secret.split('_', 2);
  return `${kind}_${'•'.repeat(rest.length - SHOWN_CHARACTERS)}${rest.slice(-SHOWN_CHARACTERS)}`;
}
