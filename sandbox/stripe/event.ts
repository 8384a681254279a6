import { newId, seconds } from './ids.js';

export type EventType =
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.failed'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'checkout.session.async_payment_failed'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'payment_intent.payment_failed'
  | 'payment_intent.succeeded';

/** Which call of the API made an event; null fields when nobody called. */
export interface EventRequest {
  readonly id: string | null;
  readonly idempotency_key: string | null;
}

export interface NewEvent {
  readonly type: EventType;
  readonly object: object;
  readonly previous?: Record<string, unknown>;
}

/** An Event with its object as it was at that moment. */
export function newEvent(
  { type, object, previous }: NewEvent,
  apiVersion: string,
  request: EventRequest,
  nowMs: number,
) {
  return {
    id: newId('evt_'),
    object: 'event' as const,
    api_version: apiVersion,
    created: seconds(nowMs),
    data: {
      object: structuredClone(object) as Record<string, unknown>,
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 0,
    request,
    type,
  };
}
export type StripeEvent = ReturnType<typeof newEvent>;
