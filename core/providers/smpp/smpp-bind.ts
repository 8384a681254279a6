import { carrierNumbers, mayChangeRoute } from '#contract/carrier-codes.js';
import { failureClassOf } from '#contract/delivery-errors.js';
import {
  Carrier,
  type CarrierCapabilities,
  type CarrierMessage,
  type HandOverNotes,
  type SendOutcome,
} from '../../carriers/carrier.js';
import type { SmppBindConfig } from '../../platform/config/smpp-binds.js';
import { exponentialWaits, retryDelayMs, type RetrySchedule } from '../../platform/durable-work/durable-work.js';
import type { Logger } from '../../platform/telemetry/logger.js';
import { type ReplySegment, replySegmentOf } from './reply-segments.js';
import { commandStatus, NotSentError, SmppConnection, type SmppAddress, type SmppTimings } from './smpp-connection.js';
import { type Pdu, type PduFields, textField, TON, UDH_INDICATOR } from './smpp-pdus.js';
import { isReceipt, isWorded, MESSAGE_ID_CHARACTERS_MAX, receiptOf } from './smpp-receipts.js';
import { encodeText } from './smpp-text.js';
import type { SubmittedMessage, SubmittedSegments } from './submitted-segments.js';

/** Window and rate of a bind. */
export interface LaneLimits {
  /** Requests without a response. */
  readonly window: number;
  readonly perSecond: number | undefined;
  readonly perSenderPerSecond: number | undefined;
}

/** An account at a peer. */
export interface SmppBindSettings extends LaneLimits {
  readonly name: string;
  readonly address: SmppAddress;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** data_coding of a GSM-7 text. */
  readonly gsm7Coding: number;
  /** Type and plan of phone numbers. */
  readonly ton: number;
  readonly npi: number;
  readonly longTexts: 'udh' | 'payload';
  /** Time without sending after ESME_RTHROTTLED. */
  readonly throttleMs: number;
}

/** The store of a bind's submits and receipts. If a promise rejects, the peer sends its message again. */
export type BindSegments = Pick<SubmittedSegments, 'submitting' | 'notTaken' | 'taken' | 'receipt' | 'wordedReceipt'>;

/** Callbacks of a bind. */
export interface SmppBindListener {
  /** A person's message, or a segment of a longer message. If it rejects, the peer sends the message again. */
  readonly reply: (segment: ReplySegment) => Promise<void>;
  /** The bind has become able to submit, or is no longer able; see {@link SmppBind.readiness}. */
  readonly changed: () => void;
}

/** Ability to submit messages; `paused` for as long as the peer wants. */
export type BindReadiness =
  | { readonly kind: 'bound' | 'unbound' }
  | { readonly kind: 'paused'; readonly forMs: number };

export interface SmppBindTimings extends SmppTimings {
  /** Wait for a place in the window. */
  readonly placeMs: number;
  /** Time within which a submit leaves after it was requested, or not at all: its claim may end. */
  readonly startMs: number;
  /** Wait before a segment of a begun message is submitted again. */
  readonly segmentRetryMs: number;
  readonly reconnect: RetrySchedule;
}

const usualTimings: SmppBindTimings = {
  enquireMs: 30_000,
  responseMs: 10_000,
  placeMs: 5_000,
  startMs: 10_000,
  segmentRetryMs: 5_000,
  reconnect: { waitMs: exponentialWaits({ firstMs: 1_000, factor: 2, maxMs: 30_000 }), jitter: [0.5, 1] },
};

/** SMPP 3.4, section 5.2.4. */
const INTERFACE_VERSION = 0x34;
const FINAL_RECEIPTS = 1;
/** Numbering plan of a short code or name: SMPP 3.4, section 5.2.6. */
const NPI_UNKNOWN = 0;
/**
 * Noted messages without a response, for each place in the window: one message waits for the place.
 */
const NOTED_PER_PLACE = 2;
/** Attempts for a segment whose message is begun. */
const SEGMENT_ATTEMPTS_MAX = 4;
/** Requests that wait for a place. Further requests are turned away at once. */
const WAITING_MAX = 1_000;

type SegmentOutcome =
  | { readonly kind: 'taken'; readonly id: string }
  | Exclude<SendOutcome, { readonly kind: 'accepted' }>;

/**
 * A peer that speaks SMPP 3.4 as a carrier. One worker at a time has its bind (hold-binds.ts). SMPP
 * has no look-up: a message that was submitted without a response waits for its receipt.
 */
export class SmppCarrier extends Carrier {
  private handOverNotes: HandOverNotes | undefined;
  override readonly isExclusive = true;
  private bind: SmppBind | undefined;

  constructor(readonly settings: SmppBindConfig) {
    super();
  }

  get name(): string {
    return this.settings.name;
  }

  get number(): number {
    return this.settings.number;
  }

  get capabilities(): CarrierCapabilities {
    return { records: undefined, handOverNotes: this.handOverNotes, inbox: undefined };
  }

  override get isHere(): boolean {
    return this.bind?.isBound === true;
  }

  /** Sets the store for the hand-overs of all workers. */
  note(handOverNotes: HandOverNotes): void {
    this.handOverNotes = handOverNotes;
  }

  /** Sets the bind by which messages leave from now on; undefined for no bind. */
  use(bind: SmppBind | undefined): void {
    this.bind = bind;
  }

  async check(): Promise<void> {
    if (!this.bind) throw notHere();
    await this.bind.check();
  }

  async send(message: CarrierMessage): Promise<SendOutcome> {
    return this.bind ? this.bind.submit(message) : { kind: 'unavailable', cause: notHere() };
  }

  /** The worker that holds the bind closes it, and gives back its lease then. */
  async close(): Promise<void> {
    this.use(undefined);
  }
}

function notHere(): Error {
  return new Error('This worker does not hold the bind');
}

/**
 * One bind_transceiver at a peer, which is kept up: it reconnects, paces, submits messages and
 * receives receipts and replies.
 */
export class SmppBind {
  /** Lane of noted messages, so that a crash leaves few in doubt. */
  private readonly noted: SubmitLane;
  private readonly lane: SubmitLane;
  private readonly timings: SmppBindTimings;
  private connection: SmppConnection | undefined;
  /** Reason why there is no bind. */
  private cause: Error = new Error('The bind has not been asked for yet');
  private refusal: number | null = null;
  private reconnection: NodeJS.Timeout | undefined;
  private failures = 0;
  private udhReference = 0;
  private isClosed = false;

  constructor(
    private readonly settings: SmppBindSettings,
    private readonly segments: BindSegments,
    private readonly listener: SmppBindListener,
    private readonly logger: Logger,
    timings: Partial<SmppBindTimings> = {},
  ) {
    this.timings = { ...usualTimings, ...timings };
    this.lane = new SubmitLane(settings);
    const window = NOTED_PER_PLACE * settings.window;
    this.noted = new SubmitLane({ window, perSecond: undefined, perSenderPerSecond: undefined });
  }

  /** Connects and binds, and again whenever the bind is lost. */
  start(): void {
    void this.connect();
  }

  get isBound(): boolean {
    return this.connection !== undefined;
  }

  get readiness(): BindReadiness {
    if (!this.isBound) return { kind: 'unbound' };
    const forMs = this.lane.pausedMs;
    return forMs > 0 ? { kind: 'paused', forMs } : { kind: 'bound' };
  }

  /** Requests without a response. */
  get openRequests(): number {
    return this.lane.openRequests;
  }

  /** Resolves when the peer answers on the bind. Throws the reason why there is no bind. */
  async check(): Promise<void> {
    if (!this.connection) throw this.cause;
    await this.connection.request('enquire_link');
  }

  /**
   * Submits a message in all its segments. Never throws. The first segment goes alone, so a refusal
   * then means that the peer has taken nothing. A later segment that the peer does not take ends
   * the message: `refused` without a code that would send the whole text over another carrier.
   */
  async submit(message: CarrierMessage): Promise<SendOutcome> {
    const segments = this.segmentsOf(message);
    const submitted = {
      messageId: message.id,
      accountId: message.accountId,
      recipient: message.recipient,
      segments: segments.length,
    };
    const [first = {}, ...others] = segments;
    const head = await this.submitFirst(submitted, message.sender, first);
    if (head.kind !== 'taken') return head;
    const tails = await Promise.all(
      others.map((fields) => this.submitBegun(submitted, message.sender, fields, head.id)),
    );
    return (
      tails.find(({ kind }) => kind === 'refused') ?? tails.find(({ kind }) => kind === 'unknown') ?? accepted(head)
    );
  }

  /** Unbinds. Messages without a response may have been taken. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.reconnection);
    for (const lane of [this.lane, this.noted]) lane.clear();
    const { connection } = this;
    [this.connection, this.cause] = [undefined, new Error('The bind is closed')];
    await connection?.close();
  }

  private async submitBegun(
    submitted: SubmittedMessage,
    sender: string,
    fields: PduFields,
    carrierId: string,
  ): Promise<SendOutcome> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.submitSegment(submitted, sender, fields, carrierId);
      if (outcome.kind === 'taken') return accepted(outcome);
      if (outcome.kind === 'unknown') return outcome;
      if (outcome.kind === 'refused' || attempt === SEGMENT_ATTEMPTS_MAX || this.isClosed)
        return { kind: 'refused', carrierError: endingCode(outcome) };
      await new Promise((resolve) => setTimeout(resolve, this.timings.segmentRetryMs));
    }
  }

  /** Notes the message before its first segment leaves. */
  private async submitFirst(message: SubmittedMessage, sender: string, fields: PduFields): Promise<SegmentOutcome> {
    if (!this.connection) return this.unbound();
    const startBy = performance.now() + this.timings.startMs;
    let release: (() => void) | undefined;
    try {
      release = await this.noted.take(sender, { isBegun: false, withinMs: this.placeMsUntil(startBy) });
      await this.segments.submitting(message);
    } catch (cause) {
      release?.();
      return { kind: 'unavailable', cause, retryAfterMs: cause instanceof NoPlaceError ? cause.retryAfterMs : 0 };
    }
    try {
      const outcome = await this.submitSegment(message, sender, fields, undefined, startBy, release);
      // A note that stays leaves a message in doubt only after a crash in a later attempt.
      if (outcome.kind !== 'taken' && outcome.kind !== 'unknown')
        await this.segments.notTaken(message).catch((error: unknown) => this.warn('note of submit not deleted', error));
      return outcome;
    } finally {
      release();
    }
  }

  private placeMsUntil(startBy: number): number {
    return Math.max(0, Math.min(this.timings.placeMs, startBy - performance.now()));
  }

  /** `carrierId` is the id of the first segment; undefined for the first segment itself. */
  private async submitSegment(
    message: SubmittedMessage,
    sender: string,
    fields: PduFields,
    carrierId: string | undefined,
    startBy = Infinity,
    answered: () => void = () => undefined,
  ): Promise<SegmentOutcome> {
    if (!this.connection) return this.unbound();
    let release: (() => void) | undefined;
    try {
      const withinMs = this.placeMsUntil(startBy);
      release = await this.lane.take(sender, { isBegun: carrierId !== undefined, withinMs });
      const connection = this.connection;
      if (!connection) return this.unbound();
      if (performance.now() > startBy) return { kind: 'unavailable', cause: new NoPlaceError('No place in time') };
      const late = (response: Pdu) => void this.takeLate(message, response, carrierId);
      const response = await connection.request('submit_sm', fields, late);
      // The peer waits for the next request while we store this response.
      release();
      answered();
      return await this.outcomeOf(message, response, carrierId, connection);
    } catch (cause) {
      if (cause instanceof NoPlaceError) return { kind: 'unavailable', cause, retryAfterMs: cause.retryAfterMs };
      return { kind: cause instanceof NotSentError ? 'unavailable' : 'unknown', cause };
    } finally {
      release?.();
    }
  }

  private async outcomeOf(
    message: SubmittedMessage,
    response: Pdu,
    carrierId: string | undefined,
    connection: SmppConnection,
  ): Promise<SegmentOutcome> {
    const { status } = response;
    const cause = new Error(`The peer answered with command status ${status}`);
    switch (status) {
      case commandStatus.ok: {
        const id = textField(response, 'message_id');
        if (!isMessageId(id)) return { kind: 'unknown', cause: new Error('The response names no message') };
        await this.segments.taken({ message, id, carrierId: carrierId ?? id, isLate: false });
        return { kind: 'taken', id };
      }
      case commandStatus.throttled:
        for (const lane of [this.lane, this.noted]) lane.pause(this.settings.throttleMs);
        this.listener.changed();
        return { kind: 'unavailable', cause, retryAfterMs: this.settings.throttleMs };
      case commandStatus.systemError:
      case commandStatus.unknownError:
        // As with HTTP's 5xx: the peer may have taken the segment before it failed.
        return { kind: 'unknown', cause };
      case commandStatus.queueFull:
        return { kind: 'unavailable', cause };
      case commandStatus.notBound:
        connection.end(cause);
        return { kind: 'unavailable', cause };
      default:
        return isAboutAccount(status)
          ? { kind: 'suspended', httpStatus: null, carrierError: status }
          : { kind: 'refused', carrierError: status };
    }
  }

  private async takeLate(message: SubmittedMessage, response: Pdu, carrierId: string | undefined): Promise<void> {
    const id = textField(response, 'message_id');
    if (response.status !== commandStatus.ok || !isMessageId(id)) return;
    await this.segments
      .taken({ message, id, carrierId: carrierId ?? id, isLate: true })
      .catch((error: unknown) => this.warn('late response not stored', error));
  }

  private unbound(): SegmentOutcome {
    if (this.refusal !== null && isAboutAccount(this.refusal))
      return { kind: 'suspended', httpStatus: null, carrierError: this.refusal };
    return { kind: 'unavailable', cause: this.cause };
  }

  private segmentsOf({ id, recipient, sender, body, validSeconds }: CarrierMessage): PduFields[] {
    const { gsm7Coding, longTexts } = this.settings;
    const { dataCoding, segments } = encodeText(body, gsm7Coding);
    const fields = {
      ...this.addressFields('source', sender),
      ...this.addressFields('dest', recipient),
      registered_delivery: FINAL_RECEIPTS,
      data_coding: dataCoding,
      validity_period: typeof validSeconds === 'number' ? relativeTime(validSeconds) : '',
      user_message_reference: referenceOf(id),
    };
    if (segments.length === 1) return [{ ...fields, short_message: segments[0] ?? Buffer.alloc(0) }];
    if (longTexts === 'payload') return [{ ...fields, message_payload: Buffer.concat(segments) }];
    this.udhReference = (this.udhReference + 1) % 256;
    return segments.map((octets, index) => ({
      ...fields,
      esm_class: UDH_INDICATOR,
      short_message: Buffer.concat([Buffer.from([5, 0, 3, this.udhReference, segments.length, index + 1]), octets]),
    }));
  }

  private addressFields(end: 'source' | 'dest', address: string): PduFields {
    const written = writtenAddress(address, this.settings);
    const name = end === 'source' ? 'source_addr' : 'destination_addr';
    return { [`${end}_addr_ton`]: written.ton, [`${end}_addr_npi`]: written.npi, [name]: written.address };
  }

  private async connect(): Promise<void> {
    const { name, address, systemId: system_id, password, systemType: system_type } = this.settings;
    let connection: SmppConnection | undefined;
    try {
      const opened = await SmppConnection.open(address, this.timings, {
        deliver: (pdu) => this.deliver(pdu),
        ended: (cause) => this.lose(opened, cause),
      });
      connection = opened;
      if (this.isClosed) return opened.end(new Error('The bind is closed'));
      const identity = { system_id, password, system_type, interface_version: INTERFACE_VERSION };
      const { status } = await opened.request('bind_transceiver', identity);
      if (status !== commandStatus.ok) {
        this.refusal = status;
        throw new Error(`The peer refused the bind with command status ${status}`);
      }
      if (this.isClosed) return await opened.close();
      if (opened.isEnded) throw new Error('The peer closed the connection after the bind');
      [this.connection, this.refusal, this.failures] = [opened, null, 0];
      this.logger.info({ bind: name }, 'smpp bound');
      this.listener.changed();
    } catch (error) {
      this.cause = error instanceof Error ? error : new Error(String(error));
      this.warn('smpp bind failed', error);
      connection?.end(this.cause);
      this.connectLater();
    }
  }

  private lose(connection: SmppConnection, cause: Error): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    this.cause = cause;
    if (this.isClosed) return;
    this.warn('smpp bind lost', cause);
    this.listener.changed();
    this.connectLater();
  }

  private connectLater(): void {
    if (this.isClosed) return;
    this.failures += 1;
    const waitMs = retryDelayMs(this.timings.reconnect, this.failures) ?? 0;
    this.reconnection = setTimeout(() => void this.connect(), waitMs);
  }

  private async deliver(pdu: Pdu): Promise<number> {
    if (isReceipt(pdu)) {
      const receipt = receiptOf(pdu);
      if (receipt) await this.segments.receipt(receipt);
      else this.logger.warn({ bind: this.settings.name }, 'smpp receipt names no message');
      return commandStatus.ok;
    }
    const worded = isWorded(pdu) ? receiptOf(pdu) : undefined;
    if (!worded || !(await this.segments.wordedReceipt(worded))) await this.listener.reply(replySegmentOf(pdu));
    return commandStatus.ok;
  }

  private warn(message: string, err: unknown): void {
    this.logger.warn({ bind: this.settings.name, err }, message);
  }
}

function accepted({ id }: { readonly id: string }): SendOutcome {
  return { kind: 'accepted', carrierId: id };
}

function isMessageId(id: string): boolean {
  return id !== '' && id.length <= MESSAGE_ID_CHARACTERS_MAX;
}

function isAboutAccount(status: number): boolean {
  return failureClassOf(carrierNumbers.smpp, status) === 'account';
}

/**
 * Returns the code of a refusal, unless it would move a message of which the phone may have a part.
 */
function endingCode(outcome: SegmentOutcome): number | null {
  const code = outcome.kind === 'refused' ? outcome.carrierError : null;
  const failure = failureClassOf(carrierNumbers.smpp, code);
  return failure === 'sender' || mayChangeRoute(failure) ? null : code;
}

/** The last 16 bits of a message's id. */
export function referenceOf(id: string): number {
  return parseInt(id.replaceAll('-', '').slice(-4), 16) || 0;
}

/** Formats whole seconds, at least one, as a time from now: SMPP 3.4, section 7.1.1. */
function relativeTime(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `0000${two(whole / 86_400)}${two((whole / 3_600) % 24)}${two((whole / 60) % 60)}${two(whole % 60)}000R`;
}

export interface WrittenAddress {
  readonly ton: number;
  readonly npi: number;
  readonly address: string;
}

/**
 * Returns a number, short code or name as written to a peer that wants numbers of this type and
 * plan. A short code gets the type `network` if the peer's type is for whole numbers, otherwise the
 * peer's type.
 */
export function writtenAddress(address: string, { ton, npi }: { ton: number; npi: number }): WrittenAddress {
  const number = /^\+(\d+)$/.exec(address)?.[1];
  if (number !== undefined) return { ton, npi, address: number };
  if (!/^\d+$/.test(address)) return { ton: TON.alphanumeric, npi: NPI_UNKNOWN, address };
  const isWhole = ton === TON.international || ton === TON.national;
  return isWhole ? { ton: TON.network, npi: NPI_UNKNOWN, address } : { ton, npi, address };
}

/**
 * The request got no place within its time, or at all. `retryAfterMs` is the wait before asking
 * again.
 */
export class NoPlaceError extends Error {
  constructor(
    message: string,
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}

interface Waiter {
  readonly sender: string;
  /** True for a part of a message that the peer has begun to take. It waits out every pause. */
  readonly isBegun: boolean;
  readonly resolve: (release: () => void) => void;
  readonly reject: (error: NoPlaceError) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * Grants requests a place in the order in which they came, within the window and the rates. A
 * sender that has to wait holds up no other sender.
 */
export class SubmitLane {
  private waiting: Waiter[] = [];
  private open = 0;
  private pausedUntilMs = 0;
  private readonly rate: Rate | undefined;
  private readonly senderRates = new Map<string, Rate>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: LaneLimits) {
    this.rate = limits.perSecond === undefined ? undefined : new Rate(limits.perSecond);
  }

  /** Requests that have a place. */
  get openRequests(): number {
    return this.open;
  }

  /** Remaining pause for new requests; 0 without a pause. */
  get pausedMs(): number {
    return Math.max(0, Math.ceil(this.pausedUntilMs - performance.now()));
  }

  /**
   * Waits for a place and returns the function that frees it. Throws {@link NoPlaceError} after
   * `withinMs`; a part of a begun message waits without that limit, before all others.
   */
  take(sender: string, { isBegun, withinMs }: { isBegun: boolean; withinMs: number }): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const pausedMs = this.pausedUntilMs - performance.now();
      if (!isBegun && pausedMs > 0) return reject(new NoPlaceError('The peer wants a pause', Math.ceil(pausedMs) + 1));
      if (!isBegun && this.waiting.length >= WAITING_MAX) return reject(new NoPlaceError('Too many requests wait'));
      const timer = isBegun
        ? undefined
        : setTimeout(() => this.turnAway([waiter], () => new NoPlaceError('No place in time')), withinMs);
      const waiter: Waiter = { sender, isBegun, resolve, reject, timer };
      if (isBegun) this.waiting.splice(this.waiting.findLastIndex((other) => other.isBegun) + 1, 0, waiter);
      else this.waiting.push(waiter);
      this.pump();
    });
  }

  /**
   * Lets nothing through for some time. Waiting requests are turned away, with staggered retry
   * times.
   */
  pause(forMs: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, performance.now() + forMs);
    const turned = this.waiting.filter(({ isBegun }) => !isBegun);
    this.turnAway(turned, (index) => new NoPlaceError('The peer wants a pause', forMs + 1 + index));
    this.pump();
  }

  /** Turns away all waiting requests. */
  clear(): void {
    this.turnAway(this.waiting, () => new NoPlaceError('The bind has ended'));
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private turnAway(waiters: readonly Waiter[], error: (index: number) => NoPlaceError): void {
    const turned = new Set(waiters);
    this.waiting = this.waiting.filter((waiter) => !turned.has(waiter));
    waiters.forEach(({ reject, timer }, index) => {
      clearTimeout(timer);
      reject(error(index));
    });
  }

  private pump(): void {
    while (this.open < this.limits.window && this.waiting.length > 0) {
      const now = performance.now();
      const waitMs = Math.max(this.pausedUntilMs - now, this.rate?.waitMs(now) ?? 0);
      if (waitMs > 0) return this.pumpAfter(waitMs);
      const index = this.waiting.findIndex(({ sender }) => (this.rateOf(sender)?.waitMs(now) ?? 0) <= 0);
      const waiter = this.waiting[index];
      if (waiter === undefined) return this.pumpAfter(this.nextSenderMs(now));
      this.waiting.splice(index, 1);
      this.rate?.take(now);
      this.rateOf(waiter.sender)?.take(now);
      this.let(waiter);
    }
  }

  private let({ resolve, timer }: Waiter): void {
    clearTimeout(timer);
    this.open += 1;
    let isFree = false;
    resolve(() => {
      if (isFree) return;
      isFree = true;
      this.open -= 1;
      this.pump();
    });
  }

  private nextSenderMs(now: number): number {
    return Math.min(...this.waiting.map(({ sender }) => this.rateOf(sender)?.waitMs(now) ?? 0));
  }

  private pumpAfter(waitMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.pump(), Math.ceil(waitMs));
  }

  private rateOf(sender: string): Rate | undefined {
    const { perSenderPerSecond } = this.limits;
    if (perSenderPerSecond === undefined) return undefined;
    const known = this.senderRates.get(sender);
    if (known) return known;
    const rate = new Rate(perSenderPerSecond);
    this.senderRates.set(sender, rate);
    return rate;
  }
}

/**
 * A rate that no second exceeds: permits are refilled evenly, and permits that were saved up while
 * a timer was late (2 % of a second's, at least one) are taken off the refill.
 */
class Rate {
  private readonly savedMax: number;
  private readonly perMs: number;
  private saved: number;
  private atMs = -Infinity;

  constructor(perSecond: number) {
    this.savedMax = Math.max(1, Math.floor(perSecond / 50));
    this.perMs = (this.savedMax === 1 ? perSecond : perSecond - this.savedMax) / 1_000;
    this.saved = this.savedMax;
  }

  waitMs(now: number): number {
    return Math.max(0, (1 - this.savedAt(now)) / this.perMs);
  }

  take(now: number): void {
    this.saved = this.savedAt(now) - 1;
    this.atMs = now;
  }

  private savedAt(now: number): number {
    return this.atMs === -Infinity
      ? this.savedMax
      : Math.min(this.savedMax, this.saved + (now - this.atMs) * this.perMs);
  }
}
