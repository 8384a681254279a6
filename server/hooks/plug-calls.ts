import { z } from 'zod';
import type { PlugProduct } from '#contract/plug-products.js';
import type { PlugSettings } from '#contract/plugs.js';
import { DomainError } from '#core/platform/errors/domain-error.js';

/** The message that a product's call asks for: a code that it has made, or a text. */
export type PlugMessage =
  | { readonly to: string; readonly code: string }
  | { readonly to: string; readonly text: string };

const text = z.string().min(1);
/** Auth products write digits as text; a number would have lost its leading zeros. */
const code = { code: text };

/**
 * Shapes of the products' calls. Sources: https://supabase.com/docs/guides/auth/auth-hooks/send-sms-hook, and
 * `SendSMSInput` of supabase/auth; https://auth0.com/docs, "custom-phone-provider", of which our Action sends these
 * fields; https://docs.logto.io/integrations/http-sms; https://zitadel.com/docs, "Webhook / HTTP provider".
 */
const shapes = {
  supabase: z
    .object({
      user: z.object({ phone: z.string().nullish(), new_phone: z.string().nullish() }).nullish(),
      sms: z.object({ otp: text, phone: z.string().nullish(), sms_type: z.string().nullish() }),
    })
    .transform(({ user, sms: { otp, phone, sms_type: type } }): PlugMessage => {
      const changed = type === 'phone_change' ? user?.new_phone : undefined;
      return { to: international(phone || changed || user?.phone || user?.new_phone || ''), code: otp };
    }),
  auth0: z
    .union([z.object({ recipient: text, ...code }), z.object({ recipient: text, text })])
    .transform(({ recipient: to, ...what }): PlugMessage => ({ to, ...what })),
  logto: z
    .object({ to: text, payload: z.object(code) })
    .transform(({ to, payload }): PlugMessage => ({ to: international(to), ...payload })),
  zitadel: z
    .object({ contextInfo: z.object({ recipientPhoneNumber: text }), args: z.object(code) })
    .transform(({ contextInfo, args }): PlugMessage => ({ to: contextInfo.recipientPhoneNumber, code: args.code })),
  sms: z.object({ to: text, content: text }).transform(({ to, content }): PlugMessage => ({ to, text: content })),
} satisfies Record<Exclude<PlugProduct, 'otp'>, z.ZodType<PlugMessage>>;

/** Supabase and Logto keep numbers without the plus. */
const international = (number: string) => (/^\d{8,15}$/.test(number) ? `+${number}` : number);

/** Reads what a call asks for. Throws `invalid_request`, naming the field. */
export function messageOf({ product, toPath, codePath }: PlugSettings, body: unknown): PlugMessage {
  if (product === 'otp') return { to: textAt(body, toPath), code: textAt(body, codePath) };
  const read = shapes[product].safeParse(body);
  if (read.success) return read.data;
  const path = read.error.issues[0]?.path.join('.');
  const where = path ? `at "${path}"` : 'where the calls of this product have it';
  throw new DomainError('invalid_request', `The body has no text ${where}.`);
}

/** The text at a path such as `$.user.phone`. A number is read as text. Throws `invalid_request`. */
function textAt(body: unknown, path: string): string {
  let value = body;
  for (const name of path.split('.').slice(1))
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && value !== '') return value;
  throw new DomainError('invalid_request', `The body has no text at ${path}, which the plug names.`);
}
