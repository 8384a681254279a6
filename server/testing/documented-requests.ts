import type { InjectOptions } from 'fastify';
import { testTotp } from '#contract/examples.js';

export const TO = '+14155552671';
export const UNKNOWN_KEY = '00000000-0000-4000-8000-000000000000';
export const NUMBER = '+12125550143';
const NO_NUMBER = '/api/numbers/num_0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';
/** A test key has this one. */
const NO_TOTP = `/api/totp/${testTotp.totp_id}`;
const NO_POOL = '/api/pools/pool_0199d0d07c5a7b1f8e0a4f6f2f9c1b3d';
export const STOPPED = '+14155552699';

export const NO_FILE = { media_id: 'ME0199d0d07c5a7b1f8e0a4f6f2f9c1b3d' };

/** A valid request for every operation. */
export const requests: Readonly<Record<string, (apikey: string) => InjectOptions>> = {
  sendSms: (apikey) => posted('/api/sendsms', { to: TO, message: 'Hello', apikey }),
  sendBulk: (apikey) => posted('/api/sendbulk', { messages: [{ to: TO, message: 'Hello' }], apikey }),
  listBatches: (apikey) => reading('/api/batches', apikey),
  findBatch: (apikey) => reading('/api/batches/BA0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', apikey),
  cancelBatch: (apikey) => ({
    ...reading('/api/batches/BA0199d0d07c5a7b1f8e0a4f6f2f9c1b3d/cancel', apikey),
    method: 'POST',
  }),
  listBatchMessages: (apikey) => reading('/api/batches/BA0199d0d07c5a7b1f8e0a4f6f2f9c1b3d/messages', apikey),
  quote: (apikey) => posted('/api/quote', { to: TO, message: 'Hello', apikey }),
  sendOtp: (apikey) => posted('/api/sendotp', { to: TO, apikey }),
  resendOtp: (apikey) => posted('/api/resendotp', { otp_id: 'OT0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', apikey }),
  listOtps: (apikey) => reading('/api/otps', apikey),
  otpConversion: (apikey) => reading('/api/otp/conversion', apikey),
  otpGuard: (apikey) => reading('/api/otp/guard', apikey),
  findOtp: (apikey) => reading('/api/otps/OT0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', apikey),
  verifyOtp: (apikey) => posted('/api/verifyotp', { otp: '042117', to: TO, apikey }),
  createTotp: (apikey) => posted('/api/totp', { label: 'alice@example.com', issuer: 'Acme', apikey }),
  listTotps: (apikey) => reading('/api/totp', apikey),
  findTotp: (apikey) => reading(NO_TOTP, apikey),
  verifyTotp: (apikey) => posted(`${NO_TOTP}/verify`, { code: '123456', apikey }),
  replaceRecoveryCodes: (apikey) => posted(`${NO_TOTP}/recovery-codes`, { apikey }),
  deleteTotp: (apikey) => ({ ...reading(NO_TOTP, apikey), method: 'DELETE' }),
  listMessages: (apikey) => reading('/api/messages', apikey),
  findMessage: (apikey) => reading('/api/messages/SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', apikey),
  messageRecord: (apikey) => reading('/api/messages/SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d/record', apikey),
  uploadMedia: (apikey) => posted('/api/media', { url: 'http://127.0.0.1/a.png', apikey }),
  findMedia: (apikey) => reading('/api/media/ME0199d0d07c5a7b1f8e0a4f6f2f9c1b3d', apikey),
  cancelMessage: (apikey) => ({
    ...reading('/api/messages/SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3d/cancel', apikey),
    method: 'POST',
  }),
  streamEvents: (apikey) => reading('/api/events', apikey),
  triggerEvent: (apikey) => posted('/api/events', { type: 'message.delivered', apikey }),
  availableNumbers: (apikey) => reading('/api/numbers/available', apikey),
  buyNumber: (apikey) => posted('/api/numbers', { number: NUMBER, apikey }),
  listNumbers: (apikey) => reading('/api/numbers', apikey),
  findNumber: (apikey) => reading(NO_NUMBER, apikey),
  changeNumber: (apikey) => ({ ...posted(NO_NUMBER, { label: 'Shop', apikey }), method: 'PATCH' }),
  releaseNumber: (apikey) => ({ ...reading(NO_NUMBER, apikey), method: 'DELETE' }),
  putPool: (apikey) => posted('/api/pools', { name: 'Shop', numbers: [], apikey }),
  listPools: (apikey) => reading('/api/pools', apikey),
  findPool: (apikey) => reading(NO_POOL, apikey),
  deletePool: (apikey) => ({ ...reading(NO_POOL, apikey), method: 'DELETE' }),
  listOptOuts: (apikey) => reading('/api/optouts', apikey),
  deliverability: (apikey) => reading('/api/deliverability', apikey),
  notifications: (apikey) => reading('/api/notifications', apikey),
  spend: (apikey) => reading('/api/spend', apikey),
  exposure: (apikey) => reading('/api/exposure', apikey),
  balance: (apikey) => reading('/api/balance', apikey),
  deliveryQuality: () => ({ method: 'GET', url: '/api/quality' }),
  regions: () => ({ method: 'GET', url: '/api/regions' }),
  serviceStatus: () => ({ method: 'GET', url: '/api/status' }),
};
/** Operations that need a key. */
export const operations = Object.entries(requests).filter(
  ([name]) => !['deliveryQuality', 'regions', 'serviceStatus'].includes(name),
);
export const posting = ['sendSms', 'sendOtp', 'resendOtp', 'verifyOtp'] as const;
export const sending = ['sendSms', 'sendOtp'] as const;
export const accepting = [...sending, 'sendBulk'] as const;

export function posted(url: string, payload: object, headers: Record<string, string> = {}): InjectOptions {
  return { method: 'POST', url, headers, payload };
}

export function reading(url: string, apikey: string): InjectOptions {
  return { method: 'GET', url, headers: { authorization: `Bearer ${apikey}` } };
}

/** Fields that a valid request of this operation is refused for: status and code. */
export const refusedBodies: readonly [string, object, number, string][] = [
  ['sendSms', { to: '+19005550100' }, 400, 'number_type_unsupported'],
  ['sendSms', { to: '+254712123456' }, 400, 'region_unsupported'],
  ['sendSms', { to: '+33612345678' }, 400, 'region_inactive'],
  ['sendSms', { message: '“Hi”', encoding: 'gsm7' }, 400, 'encoding_unsupported'],
  ['sendSms', { message: 'x'.repeat(1_531) }, 400, 'message_too_long'],
  ['sendSms', { from: NUMBER }, 400, 'from_unknown'],
  ['sendSms', { send_at: 'tomorrow' }, 400, 'invalid_send_at'],
  ['sendSms', { validity: 59 }, 400, 'invalid_validity'],
  ['sendSms', { message: 'see bit.ly/x' }, 403, 'url_shortener'],
  ['sendSms', { message: 'see example.com' }, 403, 'url_not_activated'],
  ['sendSms', { to: STOPPED }, 403, 'recipient_opted_out'],
  ['sendSms', { to: '+447400123456', media: [NO_FILE] }, 400, 'media_unsupported'],
  ['quote', { to: '+447400123456', media: [NO_FILE] }, 400, 'media_unsupported'],
  ['uploadMedia', {}, 400, 'media_unreachable'],
  ['uploadMedia', { url: '' }, 400, 'missing_fields'],
  ['uploadMedia', { apikey: 1 }, 400, 'invalid_request'],
  ['uploadMedia', { other: 'x'.repeat(6_000_000) }, 413, 'invalid_request'],
  ['sendOtp', { to: '+18005550100' }, 400, 'number_type_unsupported'],
  ['sendOtp', { to: '+447400123456' }, 400, 'region_unsupported'],
  ['sendOtp', { from: NUMBER }, 400, 'from_unknown'],
  ['sendOtp', { limit: 11 }, 400, 'invalid_limit'],
  ['sendOtp', { code: 'IO' }, 400, 'code_invalid'],
  ['sendOtp', { max_credits: 1, channels: 'sms,email' }, 400, 'invalid_request'],
  ['sendOtp', { channels: [{ channel: 'email', to: 'ann@example.com' }] }, 400, 'channel_unsupported'],
  ['sendOtp', { channels: 'whatsapp', max_credits: 1 }, 409, 'price_above_max'],
  ['sendOtp', { channels: 'voice' }, 403, 'channel_disabled'],
  ['sendOtp', { org: '中'.repeat(40) }, 400, 'message_too_long'],
  ['sendOtp', { org: 'bit.ly/x' }, 403, 'url_shortener'],
  ['sendOtp', { org: 'example.com' }, 403, 'url_not_activated'],
  ['sendOtp', { to: STOPPED }, 403, 'recipient_opted_out'],
  ['quote', { message: '“Hi”', encoding: 'gsm7' }, 400, 'encoding_unsupported'],
  ['quote', { to: '+19005550100' }, 400, 'number_type_unsupported'],
  ['quote', { to: '+254712123456' }, 400, 'region_unsupported'],
  ['quote', { to: '+33612345678' }, 400, 'region_inactive'],
  ['quote', { message: 'x'.repeat(1_531) }, 400, 'message_too_long'],
  ['quote', { message: 'see bit.ly/x' }, 403, 'url_shortener'],
  ['quote', { message: 'see example.com' }, 403, 'url_not_activated'],
  ['quote', { to: STOPPED }, 403, 'recipient_opted_out'],
  ['quote', { from: NUMBER }, 400, 'from_unknown'],
  ['quote', { to: '+1' }, 400, 'invalid_number'],
  ['quote', { send_at: 'tomorrow' }, 400, 'invalid_send_at'],
  ['quote', { validity: 59 }, 400, 'invalid_validity'],
  ['quote', { messages: [{ to: '+1' }], message: undefined }, 400, 'bulk_rejected'],
  ['quote', { message: undefined, channels: 'sms', limit: 11 }, 400, 'invalid_limit'],
  ['quote', { message: undefined, channels: 'sms', code: 'IO' }, 400, 'code_invalid'],
  ['quote', { message: undefined, channels: 'email' }, 400, 'invalid_request'],
  ['quote', { message: undefined, channels: [{ channel: 'email', to: 'a@b.cc' }] }, 400, 'channel_unsupported'],
  ['quote', { message: undefined, channels: 'voice' }, 403, 'channel_disabled'],
  ['quote', { other: 'x'.repeat(6_000_000) }, 413, 'invalid_request'],
  ['sendBulk', { messages: [{ to: '+1' }] }, 400, 'bulk_rejected'],
  ['sendBulk', { from: NUMBER }, 400, 'from_unknown'],
  ['sendBulk', { messages: [] }, 400, 'invalid_request'],
  ['sendBulk', { apikey: '' }, 400, 'missing_fields'],
  ['sendBulk', { other: 'x'.repeat(6_000_000) }, 413, 'invalid_request'],
  ['sendBulk', { send_at: 'tomorrow' }, 400, 'invalid_send_at'],
  ['sendBulk', { validity: 59 }, 400, 'invalid_validity'],
  ['sendBulk', { quote: 'none' }, 400, 'quote_invalid'],
  ['cancelMessage', { apikey: 1 }, 400, 'invalid_request'],
  ['cancelMessage', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['cancelBatch', { apikey: 1 }, 400, 'invalid_request'],
  ['cancelBatch', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['sendBulk', { messages: [{ to: TO, message: 'x'.repeat(200) }], max_credits: 1 }, 409, 'price_above_max'],
  ['buyNumber', { number: '+442079460000' }, 400, 'number_unsupported'],
  ['buyNumber', { number: '' }, 400, 'missing_fields'],
  ['buyNumber', { auto_renew: 1 }, 400, 'invalid_request'],
  ['buyNumber', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['buyNumber', {}, 402, 'number_needs_purchase'],
  ['changeNumber', {}, 404, 'number_not_found'],
  ['changeNumber', { label: 1 }, 400, 'invalid_request'],
  ['changeNumber', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['putPool', { numbers: [NUMBER] }, 400, 'pool_invalid'],
  ['putPool', { name: '' }, 400, 'invalid_request'],
  ['putPool', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['createTotp', { label: 'a:b' }, 400, 'invalid_request'],
  ['createTotp', { label: '' }, 400, 'missing_fields'],
  ['createTotp', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['verifyTotp', { code: 123456 }, 400, 'invalid_request'],
  ['verifyTotp', { code: '' }, 400, 'missing_fields'],
  ['verifyTotp', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['verifyTotp', {}, 404, 'totp_not_found'],
  ['releaseNumber', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['deletePool', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['deleteTotp', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['replaceRecoveryCodes', { apikey: 1 }, 400, 'invalid_request'],
  ['replaceRecoveryCodes', { other: 'x'.repeat(70_000) }, 413, 'invalid_request'],
  ['replaceRecoveryCodes', {}, 404, 'totp_not_found'],
  ['quote', { apikey: 1 }, 400, 'invalid_request'],
  ['quote', { apikey: '' }, 400, 'missing_fields'],
];

/** A table that each operation reads or writes. */
export const tables = [
  ['sendSms', 'messages'],
  ['sendBulk', 'messages'],
  ['listBatches', 'batches'],
  ['findBatch', 'batches'],
  ['listBatchMessages', 'batches'],
  ['quote', 'messages'],
  ['sendOtp', 'otp_guards'],
  ['resendOtp', 'otp_codes'],
  ['verifyOtp', 'otp_guards'],
  ['findOtp', 'otp_codes'],
  ['listOtps', 'otp_codes'],
  ['otpConversion', 'otp_days'],
  ['otpGuard', 'otp_rules'],
  ['createTotp', 'totps'],
  ['listTotps', 'totps'],
  ['findTotp', 'totps'],
  ['verifyTotp', 'totps'],
  ['replaceRecoveryCodes', 'totps'],
  ['deleteTotp', 'totps'],
  ['listMessages', 'messages'],
  ['findMessage', 'messages'],
  ['messageRecord', 'messages'],
  ['findMedia', 'media'],
  ['cancelMessage', 'messages'],
  ['cancelBatch', 'batches'],
  ['availableNumbers', 'numbers'],
  ['buyNumber', 'payments'],
  ['listNumbers', 'numbers'],
  ['findNumber', 'numbers'],
  ['changeNumber', 'numbers'],
  ['releaseNumber', 'numbers'],
  ['putPool', 'pools'],
  ['listPools', 'pools'],
  ['findPool', 'pools'],
  ['deletePool', 'pools'],
  ['listOptOuts', 'account_opt_outs'],
  ['deliverability', 'delivery_days'],
  ['notifications', 'webhook_endpoints'],
  ['spend', 'spend_days'],
  ['exposure', 'api_keys'],
  ['balance', 'credit_accounts'],
  ['deliveryQuality', 'delivery_quality'],
  ['serviceStatus', 'component_states'],
  ['streamEvents', 'event_listeners'],
  ['triggerEvent', 'webhook_deliveries'],
] as const;

/** A request that uploads a file. */
export function uploading(bytes: Uint8Array, apikey: string): InjectOptions {
  const boundary = 'boundary-of-the-tests';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
  return {
    method: 'POST',
    url: '/api/media',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, authorization: `Bearer ${apikey}` },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** The request with other fields in its body. */
export function changed(request: InjectOptions, change: object, headers: Record<string, string> = {}): InjectOptions {
  return { ...request, headers, payload: { ...(request.payload as object), ...change } };
}
