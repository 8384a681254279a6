import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Notices } from '../mail/notices.js';
import type { NumberContent } from '../mail/number-pages.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';
import { publicNumberId } from '../rules/ids.js';
import { graceEnd } from './number-views.js';
import type { NumberRow } from './numbers.repository.js';

export type NumberEventType = 'number.active' | 'number.past_due' | 'number.released' | 'number.filtered';

/** Webhook events and emails about numbers. */
@Injectable()
export class NumberEvents {
  constructor(
    private readonly webhookEvents: WebhookEvents,
    private readonly notices: Notices,
  ) {}

  /**
   * Records an event in the caller's transaction; `about` tells events of one type and number
   * apart. Returns its id for {@link enqueue}.
   */
  async record(
    tx: EntityManager,
    type: NumberEventType,
    number: NumberRow,
    { about, ...more }: Readonly<Record<string, unknown>> & { readonly about?: string | number } = {},
  ): Promise<string | undefined> {
    return this.webhookEvents.record(tx, {
      accountId: number.accountId,
      type,
      sourceId: about === undefined ? number.id : `${number.id}:${about}`,
      payload: { ...payloadOf(number), ...more },
    });
  }

  /**
   * Queues an email to the owner in the caller's transaction; at most one of each kind and source.
   */
  async mail(tx: EntityManager, accountId: string, content: NumberContent, sourceId: string): Promise<void> {
    await this.notices.send(tx, accountId, content, sourceId);
  }

  /** Enqueues events after the commit. */
  enqueue(ids: readonly (string | undefined)[]): void {
    this.webhookEvents.enqueue(ids);
  }
}

/** Returns the fields of events about a number. */
function payloadOf({ id, number, label, status, creditsPerMonth, renewsAt, pastDueAt }: NumberRow) {
  return {
    number_id: publicNumberId(id),
    number,
    label,
    status,
    credits_per_month: creditsPerMonth,
    renews_at: renewsAt?.toISOString() ?? null,
    releases_at: pastDueAt ? graceEnd(pastDueAt).toISOString() : null,
  };
}
