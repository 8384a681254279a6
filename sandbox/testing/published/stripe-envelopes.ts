import { z } from 'zod';
import { text, thing, yesOrNo } from './kinds.js';

// What stands around Stripe's objects. The error's codes are a long list in its documentation: any is taken here.

export const list = z.strictObject({
  object: z.literal('list'),
  data: z.array(thing),
  has_more: yesOrNo,
  url: z.string().regex(/^\/v1\/[\w/]+$/),
});

export const error = z.strictObject({
  error: z.strictObject({
    type: z.enum(['api_error', 'card_error', 'idempotency_error', 'invalid_request_error']),
    message: text.min(1).optional(),
    code: z
      .string()
      .regex(/^[a-z_]+$/)
      .optional(),
    param: text.optional(),
    doc_url: z.url().optional(),
    charge: text.optional(),
    decline_code: text.optional(),
    request_log_url: z.url().optional(),
  }),
});
