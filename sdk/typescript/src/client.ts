import type {
  AcceptedMessage,
  AvailableNumbers,
  Balance,
  BoughtNumber,
  BuyNumberRequest,
  ChangedNumber,
  ChangeNumberRequest,
  CreatedTotp,
  CreateTotpRequest,
  Deliverability,
  OptOuts,
  Notifications,
  Exposure,
  Otp,
  OtpConversion,
  OtpGuard,
  OtpsAnswer,
  OtpVerdict,
  OwnNumberAnswer,
  OwnNumbers,
  PoolAnswer,
  PoolDeleted,
  PoolRequest,
  PoolsAnswer,
  ListedOtp,
  ListedTotp,
  OtpQuote,
  Quote,
  RecoveryCodes,
  ResendOtpRequest,
  SendOtpRequest,
  SendSmsRequest,
  SentOtp,
  Spend,
  Totp,
  TotpDeleted,
  TotpsAnswer,
  TotpVerdict,
  TriggeredEvent,
  UploadedMedia,
  VerifyOtpRequest,
  VerifyTotpRequest,
} from './api-types.js';
import type { AcceptedBulk, Batch, BatchAnswer, BatchCanceled, Batches, BulkOptions, BulkQuote } from './bulk-types.js';
import type { Message, MessageAnswer, MessageRecord, MessagesAnswer } from './message-types.js';
import type { AccountEvent } from './event-types.js';
import { streamEvents, type EventsOptions, type StreamedEvent } from './events.js';
import { formWith, mediaFileOf, type MediaFile } from './media.js';
import { pageOf, Pages } from './pages.js';
import { Transport, type CallOptions, type ClientOptions } from './transport.js';
import { verify } from './webhooks.js';

export interface BulkMessage {
  readonly to: string;
  readonly message: string;
  readonly reference?: string | undefined;
}

/** A recipient of a template; every other field is a variable of the template. */
export interface BulkRecipient {
  readonly to: string;
  readonly reference?: string | undefined;
  readonly [variable: string]: string | number | undefined;
}

/** Up to 10,000 messages, or a template such as `Hi {{name}}` and its recipients. */
export type SendBulkRequest = BulkOptions &
  (
    | { readonly messages: readonly BulkMessage[] }
    | { readonly message: string; readonly recipients: readonly BulkRecipient[] }
  );

/** Filter of listed messages. Times are RFC 3339 with an offset; `until` is exclusive. */
export interface MessageFilter {
  readonly status?: Message['status'] | undefined;
  /** Reason of the failure: a code of the carrier, such as '30003', or of the service. */
  readonly reason?: string | undefined;
  readonly to?: string | undefined;
  readonly reference?: string | undefined;
  readonly batch_id?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Filter of listed opt-outs. Times are RFC 3339 with an offset; `until` is exclusive. */
export interface OptOutFilter {
  /** Only opt-outs of this person. */
  readonly number?: string | undefined;
  /** Only people who opted out of this sender. */
  readonly sender?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** 'opted_out' (default): opt-outs in force. 'all': lifted opt-outs as well. */
  readonly status?: 'opted_out' | 'all' | undefined;
}

/** A person who has opted out of a sender. */
export type OptOut = OptOuts['optouts'][number];

/** Filter of a search for numbers. */
export interface AvailableNumberFilter {
  /** ISO 3166-1 alpha-2; `US` unless you set it. */
  readonly country?: string | undefined;
  /** `local` unless you set it. */
  readonly type?: 'local' | 'toll_free' | undefined;
  /** Three digits. */
  readonly area_code?: string | undefined;
  /** Digits, or letters of a phone's keypad, in a row; `*` is any digit. */
  readonly contains?: string | undefined;
  readonly limit?: number | undefined;
}

/** Filter of listed one-time passwords. Times are RFC 3339 with an offset; `until` is exclusive. */
export interface OtpFilter {
  readonly status?: ListedOtp['status'] | undefined;
  /** A channel by which the code may go. */
  readonly channel?: ListedOtp['channel'] | undefined;
  /** A phone number, in any form. */
  readonly to?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  readonly otp_id?: string | undefined;
  readonly reference?: string | undefined;
  /** The id of a named key, or `account` for the account's own key. */
  readonly key_id?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Days as YYYY-MM-DD: without `to` up to today, without `from` the last six months. */
export interface SpendDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Days as YYYY-MM-DD: without `to` up to today, without `from` the last 30. */
export interface DeliverabilityDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A message to send: it has a text, files, or both. */
export type MessageToSend = SendSmsRequest &
  ({ readonly message: string } | { readonly media: NonNullable<SendSmsRequest['media']> });

/** A one-time password that goes by several channels. */
export type OtpWithChannels = SendOtpRequest & { readonly channels: NonNullable<SendOtpRequest['channels']> };

/** Longest time of each try of an upload, and of the whole call. */
const UPLOAD_MS = { timeoutMs: 120_000, deadlineMs: 240_000 };

const path = (folder: string, id: string, rest = '') => `/api/${folder}/${encodeURIComponent(id)}${rest}`;

/**
 * Client of the Pennytext API. Every call throws `PennytextError` with a stable `code`; calls that
 * failed on the way are repeated with one Idempotency-Key, so that nothing is sent or charged
 * twice.
 */
export class Pennytext {
  /** Verifies webhooks; needs no API key. */
  static readonly webhooks = { verify };
  readonly webhooks = { verify };
  private readonly transport: Transport;

  constructor(options: ClientOptions = {}) {
    this.transport = new Transport(options);
  }

  /** Sends a message. */
  send(request: MessageToSend, options?: CallOptions): Promise<AcceptedMessage> {
    return this.post('/api/sendsms', request, options, 'keyed');
  }

  /** Sends up to 10,000 messages, all or none unless `partial` is set. */
  sendBulk(request: SendBulkRequest, options?: CallOptions): Promise<AcceptedBulk> {
    return this.post('/api/sendbulk', request, options, 'keyed');
  }

  /**
   * Returns the price of a message or of a bulk, and a `quote` that holds it for ten minutes. Returns
   * the prices of a one-time password with `channels`, which nothing holds. Sends nothing.
   */
  quote(request: SendBulkRequest, options?: CallOptions): Promise<BulkQuote>;
  quote(request: MessageToSend, options?: CallOptions): Promise<Quote>;
  quote(request: OtpWithChannels, options?: CallOptions): Promise<OtpQuote>;
  quote(
    request: MessageToSend | SendBulkRequest | OtpWithChannels,
    options?: CallOptions,
  ): Promise<Quote | BulkQuote | OtpQuote> {
    return this.post('/api/quote', request, options);
  }

  /**
   * Returns the outcomes of your messages, by reason, country, day and key. `from` and `to` are New
   * York days, inclusive.
   */
  deliverability(days: DeliverabilityDays = {}, options?: CallOptions): Promise<Deliverability> {
    return this.get('/api/deliverability', options, { ...days });
  }

  /**
   * Returns the credits that you spent, by month, day, key, country and kind. `from` and `to` are New
   * York days, inclusive.
   */
  spend(days: SpendDays = {}, options?: CallOptions): Promise<Spend> {
    return this.get('/api/spend', options, { ...days });
  }

  /**
   * Returns the credits that could be spent before you notice if all keys leaked now, and ways to
   * lower them.
   */
  exposure(options?: CallOptions): Promise<Exposure> {
    return this.get('/api/exposure', options);
  }

  /** Returns your credits. */
  balance(options?: CallOptions): Promise<Balance> {
    return this.get('/api/balance', options);
  }

  /**
   * Iterates over the account's events as they happen; a broken connection continues after the last
   * event.
   */
  events(options: EventsOptions = {}): AsyncGenerator<StreamedEvent, void> {
    return streamEvents(this.transport, options);
  }

  /** Creates a test event with example data, for streams that are open and for your webhook. */
  trigger(type: AccountEvent['type'], options?: CallOptions): Promise<TriggeredEvent> {
    return this.post('/api/events', { type }, options, 'once');
  }

  readonly messages = {
    /** Returns a message and its status. */
    get: (messageId: string, options?: CallOptions): Promise<MessageAnswer> =>
      this.get(path('messages', messageId), options),

    /**
     * Returns everything known of a message: states with their causes, ledger entries with their
     * seals, webhooks.
     */
    record: (messageId: string, options?: CallOptions): Promise<MessageRecord> =>
      this.get(path('messages', messageId, '/record'), options),

    /** Lists messages, newest first: `for await (const message of client.messages.list())`. */
    list: (filter: MessageFilter = {}, options?: CallOptions): Pages<Message> =>
      new Pages(async (cursor) => {
        const page = await this.get<MessagesAnswer>('/api/messages', options, { ...filter, cursor });
        return pageOf(page.messages, page.next_cursor);
      }),

    /** Cancels a scheduled or queued message and refunds it. */
    cancel: (messageId: string, options?: CallOptions): Promise<MessageAnswer> =>
      this.post(path('messages', messageId, '/cancel'), {}, options),
  };

  /** Conditions that need your attention now. */
  readonly notifications = {
    /** Returns the notifications, the critical ones first. */
    list: (options?: CallOptions): Promise<Notifications> => this.get('/api/notifications', options),
  };

  readonly media = {
    /**
     * Stores a picture or another file for messages, which then name its `media_id`: bytes, a
     * `Blob` such as a `File`, or `{ url }`, which the service fetches.
     */
    upload: (file: Uint8Array | Blob | { readonly url: string }, options: CallOptions = {}): Promise<UploadedMedia> => {
      const body = file instanceof Uint8Array || file instanceof Blob ? formWith(file) : { url: file.url };
      return this.post('/api/media', body, { ...UPLOAD_MS, ...options }, 'keyed');
    },

    /**
     * Downloads a file of a reply, by its `Id` in `message.received`, or a file that you uploaded
     * or sent, by its `media_id`. A file that is still being copied is requested again, as often as
     * other calls, and then refused with `media_pending`.
     */
    download: async (
      mediaId: string,
      options: Omit<CallOptions, 'idempotencyKey' | 'timeoutMs'> = {},
    ): Promise<MediaFile> =>
      mediaFileOf(await this.transport.download({ method: 'GET', path: path('media', mediaId) }, options)),
  };

  readonly batches = {
    /** Returns the progress of a bulk. */
    get: (batchId: string, options?: CallOptions): Promise<BatchAnswer> => this.get(path('batches', batchId), options),

    /** Lists bulks, newest first. */
    list: (options?: CallOptions): Pages<Batch> =>
      new Pages(async (cursor) => {
        const page = await this.get<Batches>('/api/batches', options, { cursor });
        return pageOf(page.batches, page.next_cursor);
      }),

    /** Lists the messages of a bulk, the last one first. */
    messages: (batchId: string, options?: CallOptions): Pages<Message> =>
      new Pages(async (cursor) => {
        const page = await this.get<MessagesAnswer>(path('batches', batchId, '/messages'), options, { cursor });
        return pageOf(page.messages, page.next_cursor);
      }),

    /** Cancels the messages that still wait, and refunds them. */
    cancel: (batchId: string, options?: CallOptions): Promise<BatchCanceled> =>
      this.post(path('batches', batchId, '/cancel'), {}, options),
  };

  readonly optouts = {
    /** Lists the people who have opted out, newest first: `for await (const { number } of client.optouts.list())`. */
    list: (filter: OptOutFilter = {}, options?: CallOptions): Pages<OptOut> =>
      new Pages(async (cursor) => {
        const page = await this.get<OptOuts>('/api/optouts', options, { ...filter, cursor });
        return pageOf(page.optouts, page.next_cursor);
      }),
  };

  /** Your own numbers. */
  readonly numbers = {
    /** Searches numbers that you can buy. */
    available: (filter: AvailableNumberFilter = {}, options?: CallOptions): Promise<AvailableNumbers> =>
      this.get('/api/numbers/available', options, { ...filter, limit: filter.limit?.toString() }),

    /** Buys a number. With the status `reserving`, the carrier has not answered yet. */
    buy: (request: BuyNumberRequest, options?: CallOptions): Promise<BoughtNumber> =>
      this.post('/api/numbers', request, options, 'keyed'),

    /** Returns your current or your released numbers. */
    list: (status: 'live' | 'released' = 'live', options?: CallOptions): Promise<OwnNumbers> =>
      this.get('/api/numbers', options, { status }),

    /** Returns a number and its traffic. */
    get: (numberId: string, options?: CallOptions): Promise<OwnNumberAnswer> =>
      this.get(path('numbers', numberId), options),

    /** Changes a number's label, its renewal, or its maximum of texts from strangers. */
    change: (numberId: string, request: ChangeNumberRequest, options?: CallOptions): Promise<ChangedNumber> =>
      this.transport.call({ method: 'PATCH', path: path('numbers', numberId), body: request }, options),

    /**
     * Gives a number up: a day from now, or when the paid month ends. Until then {@link keep}
     * undoes it.
     */
    release: (numberId: string, at: 'now' | 'renews_at' = 'now', options?: CallOptions): Promise<ChangedNumber> =>
      this.transport.call({ method: 'DELETE', path: path('numbers', numberId), query: { at } }, options),

    /** Undoes a release that has not taken effect. */
    keep: (numberId: string, options?: CallOptions): Promise<ChangedNumber> =>
      this.transport.call({ method: 'DELETE', path: path('numbers', numberId), query: { cancel: 'true' } }, options),
  };

  /** Pools of your numbers. */
  readonly pools = {
    /** Creates a pool, or gives the pool of this name other numbers. */
    put: (request: PoolRequest, options?: CallOptions): Promise<PoolAnswer> =>
      this.post('/api/pools', request, options),

    list: (options?: CallOptions): Promise<PoolsAnswer> => this.get('/api/pools', options),

    get: (poolId: string, options?: CallOptions): Promise<PoolAnswer> => this.get(path('pools', poolId), options),

    /** Deletes a pool; its numbers stay yours. */
    delete: (poolId: string, options?: CallOptions): Promise<PoolDeleted> =>
      this.transport.call({ method: 'DELETE', path: path('pools', poolId) }, options),
  };

  readonly otp = {
    /** Sends a one-time password. */
    send: (request: SendOtpRequest, options?: CallOptions): Promise<SentOtp> =>
      this.post('/api/sendotp', request, options, 'keyed'),

    /** Sends the same code again. */
    resend: (request: ResendOtpRequest, options?: CallOptions): Promise<SentOtp> =>
      this.post('/api/resendotp', request, options, 'keyed'),

    /**
     * Verifies a code. A lost answer is not repeated: the code would count as used, or a wrong code
     * twice.
     */
    verify: (request: VerifyOtpRequest, options?: CallOptions): Promise<OtpVerdict> =>
      this.post('/api/verifyotp', request, options, 'once'),

    /** Returns the state of a code, never its digits. */
    get: (otpId: string, options?: CallOptions): Promise<Otp> => this.get(path('otps', otpId), options),

    /** Lists codes, newest first, never their digits: `for await (const code of client.otp.list())`. */
    list: (filter: OtpFilter = {}, options?: CallOptions): Pages<ListedOtp> =>
      new Pages(async (cursor) => {
        const page = await this.get<OtpsAnswer>('/api/otps', options, { ...filter, cursor });
        return pageOf(page.otps, page.next_cursor);
      }),

    /** Returns how many of the codes sent on some days were verified, by country and day. */
    conversion: (days: DeliverabilityDays = {}, options?: CallOptions): Promise<OtpConversion> =>
      this.get('/api/otp/conversion', options, { ...days }),

    /** Returns the rules of the fraud guard and their refusals. */
    guard: (options?: CallOptions): Promise<OtpGuard> => this.get('/api/otp/guard', options),
  };

  readonly totp = {
    /**
     * Creates an authenticator, and returns its secret and QR code once. A lost answer is not repeated: it would
     * create another.
     */
    create: (request: CreateTotpRequest, options?: CallOptions): Promise<CreatedTotp> =>
      this.post('/api/totp', request, options, 'once'),

    /** Lists authenticators, newest first, without their secrets: `for await (const one of client.totp.list())`. */
    list: (options?: CallOptions): Pages<ListedTotp> =>
      new Pages(async (cursor) => {
        const page = await this.get<TotpsAnswer>('/api/totp', options, { cursor });
        return pageOf(page.totps, page.next_cursor);
      }),

    /** Returns the state of an authenticator, never its secret. */
    get: (totpId: string, options?: CallOptions): Promise<Totp> => this.get(path('totp', totpId), options),

    /**
     * Verifies a code of the app, or a recovery code. A lost answer is not repeated: the code would count as used, or
     * a wrong code twice.
     */
    verify: (totpId: string, request: VerifyTotpRequest, options?: CallOptions): Promise<TotpVerdict> =>
      this.post(path('totp', totpId, '/verify'), request, options, 'once'),

    /** Makes recovery codes in place of earlier ones, and returns them once. */
    recoveryCodes: (totpId: string, options?: CallOptions): Promise<RecoveryCodes> =>
      this.post(path('totp', totpId, '/recovery-codes'), {}, options, 'once'),

    /** Deletes an authenticator with its recovery codes. */
    delete: (totpId: string, options?: CallOptions): Promise<TotpDeleted> =>
      this.transport.call({ method: 'DELETE', path: path('totp', totpId) }, options),
  };

  private get<Answer>(
    to: string,
    options?: CallOptions,
    query?: Readonly<Record<string, string | undefined>>,
  ): Promise<Answer> {
    return this.transport.call<Answer>({ method: 'GET', path: to, query }, options);
  }

  private post<Answer>(to: string, body: object, options?: CallOptions, repeat?: 'keyed' | 'once'): Promise<Answer> {
    return this.transport.call<Answer>({ method: 'POST', path: to, body, ...(repeat && { repeat }) }, options);
  }
}
