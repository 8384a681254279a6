/** A call of a sample program, which the emitters write in each language. */
export interface Sample {
  /** Its folder in web/src/content/samples. */
  readonly folder: string;
  /** The call's name in the model. */
  readonly call: string;
  /** Values of the path, in order. */
  readonly ids?: readonly string[];
  readonly arguments?: Readonly<Record<string, SampleValue>>;
  readonly idempotencyKey?: string;
  /** Fields of the answer that the program prints. */
  readonly prints: readonly string[];
}

export type SampleValue =
  | string
  | number
  /** The time that it is tomorrow. */
  | { readonly kind: 'tomorrow' }
  /** The bytes of a file. */
  | { readonly kind: 'file'; readonly name: string }
  | readonly Readonly<Record<string, string | number>>[];

const to = '+12025550142';
const message = 'Hello from Pennytext';

/** The programs of the documentation that make a call with a client. */
export const samples: readonly Sample[] = [
  { folder: 'send-sms', call: 'send', arguments: { to, message }, prints: ['message_id', 'credits', 'balance'] },
  { folder: 'send-otp', call: 'otp.send', arguments: { to, org: 'Acme' }, prints: ['otp_id', 'message_id'] },
  {
    folder: 'send-otp-channels',
    call: 'otp.send',
    arguments: {
      to,
      channels: [
        { channel: 'sms', wait_seconds: 45 },
        { channel: 'email', to: 'ann@example.com' },
      ],
      max_credits: 2,
    },
    prints: ['otp_id', 'next_channel', 'next_channel_at'],
  },
  { folder: 'verify-otp', call: 'otp.verify', arguments: { to, otp: '123456' }, prints: ['status'] },
  { folder: 'balance', call: 'balance', prints: ['balance', 'purchased', 'used'] },
  { folder: 'message-status', call: 'messages.get', ids: ['YOUR_MESSAGE_ID'], prints: ['status', 'credits'] },
  { folder: 'cancel-message', call: 'messages.cancel', ids: ['YOUR_MESSAGE_ID'], prints: ['status', 'refunded'] },
  {
    folder: 'send-bulk',
    call: 'send_bulk',
    arguments: {
      message: 'Hi {{name}}, your order is ready.',
      recipients: [
        { to, name: 'Ada' },
        { to: '+12025550143', name: 'Grace', reference: 'order-1043' },
      ],
    },
    idempotencyKey: 'orders-of-march-5',
    prints: ['batch_id', 'accepted', 'credits'],
  },
  { folder: 'batch-status', call: 'batches.get', ids: ['YOUR_BATCH_ID'], prints: ['messages', 'statuses'] },
  { folder: 'cancel-batch', call: 'batches.cancel', ids: ['YOUR_BATCH_ID'], prints: ['canceled', 'refunded'] },
  {
    folder: 'send-later',
    call: 'send',
    arguments: { to, message: 'See you at 10', send_at: { kind: 'tomorrow' } },
    prints: ['message_id', 'status', 'send_at'],
  },
  { folder: 'quote', call: 'quote', arguments: { to, message }, prints: ['credits', 'quote', 'expires_at'] },
  {
    folder: 'send-quoted',
    call: 'send',
    arguments: { to, message, quote: 'YOUR_QUOTE' },
    prints: ['message_id', 'credits'],
  },
  {
    folder: 'send-capped',
    call: 'send',
    arguments: { to: '+4915123456789', message, max_credits: 2 },
    prints: ['message_id', 'credits'],
  },
  {
    folder: 'send-smart',
    call: 'send',
    arguments: { to, message: '“See you at 6…”', encoding: 'smart' },
    prints: ['encoding', 'message'],
  },
  {
    folder: 'send-once',
    call: 'send',
    arguments: { to, message: 'Your order has been shipped.', dedupe: 3_600 },
    prints: ['message_id', 'deduplicated'],
  },
  {
    folder: 'send-media',
    call: 'send',
    arguments: { to, message: 'Your table by the window', media: [{ url: 'https://example.com/table.jpg' }] },
    prints: ['message_id', 'credits'],
  },
  {
    folder: 'upload-media',
    call: 'media.upload',
    arguments: { file: { kind: 'file', name: 'table.jpg' } },
    prints: ['media_id', 'type', 'bytes'],
  },
];
