import type { PlugProduct } from './plug-products.js';

/**
 * Calls of the documentation, as each product makes them. A test sends each to a plug. The shapes are those of the
 * products' own documentation, without the fields that are not read.
 */
export const plugCalls = {
  supabase: {
    user: { id: '6481a5c1-3d37-4a56-9f6a-bee08c554965', aud: 'authenticated', phone: '+12025550142' },
    sms: { otp: '561166' },
  },
  auth0: { recipient: '+12025550142', code: '561166', message_type: 'otp_verify' },
  logto: { to: '+12025550142', type: 'SignIn', payload: { code: '561166' }, ip: '192.168.1.1' },
  zitadel: {
    contextInfo: { eventType: 'user.human.otp.sms.code.added', recipientPhoneNumber: '+12025550142' },
    templateData: { text: '561166 is your one-time password for example.com.' },
    args: { code: '561166' },
  },
  otp: { to: '+12025550142', code: '561166' },
  sms: { to: '+12025550142', content: 'Your order has left.', sender: 'Acme' },
} satisfies Record<PlugProduct, object>;

/** A notice of Auth0 that has no code. */
export const auth0Notice = {
  recipient: '+12025550142',
  text: 'Your account was blocked.',
  message_type: 'blocked_account',
};

/** Body that the generic provider of authentik sends. */
export const authentikCall = { From: 'Acme', To: '+12025550142', Body: '561166' };

const sentCode = { success: 'true', message_id: 'SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d' };

/** Answer to each call, with HTTP 200. */
export const plugAnswers = {
  supabase: {},
  auth0: sentCode,
  logto: sentCode,
  zitadel: sentCode,
  otp: sentCode,
  sms: { id: sentCode.message_id, date: '2026-03-05T17:20:31.418Z' },
} satisfies Record<PlugProduct, object>;
