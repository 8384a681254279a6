import { z } from 'zod';
import { idOf, instant, text, thing, whole, yesOrNo } from './kinds.js';

// The Event of Stripe's API 2026-10-28.endive, as its SDK 23.1.0 describes it; of its types, those that the sandbox sends.

export const event = z.strictObject({
  id: idOf('evt_'),
  object: z.literal('event'),
  account: text.optional(),
  api_version: text.nullable(),
  context: text.optional(),
  created: instant,
  data: z.strictObject({ object: thing, previous_attributes: z.record(text, z.unknown()).optional() }),
  livemode: yesOrNo,
  pending_webhooks: whole,
  request: z.strictObject({ id: text.nullable(), idempotency_key: text.nullable() }).nullable(),
  type: z.enum([
    'charge.dispute.created',
    'charge.failed',
    'charge.refunded',
    'charge.succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.completed',
    'checkout.session.expired',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
  ]),
});
