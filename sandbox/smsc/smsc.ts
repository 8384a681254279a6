import { callbackPlanOf, type Delivery } from '../carriers/delivery.js';
import type { ReplyPoster } from '../carriers/inbound.js';
import type { Message } from '../carriers/message.js';
import type { MessageStore } from '../carriers/message-store.js';
import { segmentCount } from '../carriers/segments.js';
import type { Fault, Faults } from '../control/faults.js';
import { type Poster, Timers } from '../outgoing.js';
import { UNDELIVERED_CODE } from './undelivered.js';
import { octetsOf, SmscServer, statuses, type Submit, textOf } from './smsc-server.js';

interface SmscParts {
  readonly smppSystemId: string;
  readonly smppPassword: string;
  readonly store: MessageStore;
  readonly delivery: Delivery;
  readonly faults: Faults;
}

/** Statuses with which a submit_sm is refused, by fault. */
const refusals: Readonly<Partial<Record<Fault['mode'], number>>> = {
  '429': statuses.throttled,
  '500': statuses.systemError,
  'queue-full': statuses.queueFull,
  refuse: statuses.invalidDestination,
  suspended: statuses.invalidPassword,
};

/** Bounds on memory: segments of incomplete messages, receipts without a client. */
const INCOMPLETE_MAX = 1_000;
const WAITING_MAX = 100_000;
const RECEIPT_ATTEMPTS_MAX = 5;
const RECEIPT_RETRY_MS = 1_000;
/** Octets of a segment, besides its header. */
const SEGMENT_OCTETS = 134;
const SINGLE_OCTETS = 140;
const UDH_INDICATOR = 0x40;
const RECEIPT = 0x04;

interface Segment {
  readonly id: string;
  readonly octets: Buffer;
}

interface Receipt {
  readonly message: Message;
  readonly id: string;
  readonly state: 'DELIVRD' | 'UNDELIV';
  readonly attempt: number;
}

/**
 * A short message center that speaks SMPP 3.4. Its messages are in the store of all carriers; a
 * long message is stored when its segments are together, under all their ids.
 */
export class Smsc implements ReplyPoster {
  private readonly server = new SmscServer({
    bind: (systemId, password) => this.bind(systemId, password),
    submit: (submit) => this.submit(submit),
    bound: () => this.sendWaiting(),
  });
  private readonly timers = new Timers();
  private readonly incomplete = new Map<string, Map<number, Segment>>();
  private readonly hexIds = new Set<string>();
  /** user_message_reference of each segment that had one, for its receipt. */
  private readonly references = new Map<string, number>();
  private waiting: Receipt[] = [];
  /** Rises with every start, so that no id comes twice. */
  private lastId = Date.now() * 100;
  private lastReference = 0;

  constructor(private readonly parts: SmscParts) {
    parts.store.watch({
      added: () => undefined,
      changed: (message) => this.changed(message),
      cleared: () => this.clear(),
    });
  }

  /** Returns the port. Throws when it cannot be opened. */
  listen(port: number, host: string): Promise<number> {
    return this.server.listen(port, host);
  }

  newId(): string {
    this.lastId += 1;
    return String(this.lastId);
  }

  /** Hands a reply to the client. The status is 200 when the client has taken all its segments. */
  async post(_poster: Poster, { from, to, body }: Message) {
    const { octets, dataCoding } = octetsOf(body);
    const address = { from: from.replace(/^\+/, ''), to: to.replace(/^\+/, ''), dataCoding };
    const size = dataCoding === 0 ? 160 : SINGLE_OCTETS;
    const segments = octets.length <= size ? [octets] : segmentsOf(octets, dataCoding);
    this.lastReference = (this.lastReference + 1) % 256;
    for (const [index, segment] of segments.entries()) {
      const header = Buffer.from([5, 0, 3, this.lastReference, segments.length, index + 1]);
      const isLong = segments.length > 1;
      const status = await this.server.deliver({
        ...address,
        esmClass: isLong ? UDH_INDICATOR : 0,
        octets: isLong ? Buffer.concat([header, segment]) : segment,
      });
      if (status !== statuses.ok)
        return { status: 0, problem: status === null ? 'No client is bound' : `The client answered with ${status}` };
    }
    return { status: 200, problem: null };
  }

  async close(): Promise<void> {
    this.clear();
    await this.server.close();
  }

  private clear(): void {
    this.timers.clear();
    this.incomplete.clear();
    this.hexIds.clear();
    this.references.clear();
    this.waiting = [];
  }

  private bind(systemId: string, password: string): number {
    const { smppSystemId, smppPassword, faults } = this.parts;
    if (systemId !== smppSystemId) return statuses.bindFailed;
    if (password !== smppPassword) return statuses.invalidPassword;
    const { mode } = faults.take('smsc', ['already-bound', 'suspended']);
    if (mode === 'suspended') return statuses.invalidPassword;
    return mode === 'already-bound' ? statuses.alreadyBound : statuses.ok;
  }

  private submit(submit: Submit): void {
    const fault = this.parts.faults.take('smsc', undefined, { from: submit.from });
    const refusal = refusals[fault.mode];
    if (refusal !== undefined) return submit.refuse(refusal);
    if (fault.mode === 'timeout') return undefined;
    if (fault.mode === 'unbind') return submit.unbind();
    const id = this.newId();
    if (fault.mode === 'hex-ids') this.hexIds.add(id);
    if (submit.reference !== null) this.remember(id, submit.reference);
    this.take(submit, id, fault);
    if (fault.mode === 'accepted-then-5xx') submit.refuse(statuses.systemError);
    else if (fault.mode === 'lost-answer') submit.hangUp();
    else if (fault.mode === 'delay') this.timers.later(fault.delayMs, () => submit.accept(id));
    else submit.accept(id);
  }

  private remember(id: string, reference: number): void {
    const [oldest] = this.references.keys();
    if (oldest !== undefined && this.references.size >= WAITING_MAX) this.references.delete(oldest);
    this.references.set(id, reference);
  }

  /** Stores a message, or a segment until the message is complete. */
  private take(submit: Submit, id: string, fault: Fault): void {
    const { from, to, octets, esmClass } = submit;
    if ((esmClass & UDH_INDICATOR) === 0) return this.store(submit, [{ id, octets }], fault);
    const headerLength = (octets[0] ?? 0) + 1;
    const [, , , reference = 0, total = 1, number = 1] = octets;
    const key = [from, to, reference, total].join();
    const known = this.incomplete.get(key) ?? new Map<number, Segment>();
    known.set(number, { id, octets: octets.subarray(headerLength) });
    this.incomplete.set(key, known);
    const [oldest] = this.incomplete.keys();
    if (oldest !== undefined && this.incomplete.size > INCOMPLETE_MAX) this.incomplete.delete(oldest);
    if (known.size < total) return;
    this.incomplete.delete(key);
    const inOrder = [...known].sort(([one], [other]) => one - other).map(([, segment]) => segment);
    this.store(submit, inOrder, fault);
  }

  private store({ from, to, ...submit }: Submit, segments: readonly Segment[], fault: Fault): void {
    const body = textOf(Buffer.concat(segments.map(({ octets }) => octets)), submit.dataCoding);
    const message = this.parts.store.add({
      carrier: 'smsc',
      sid: segments.map(({ id }) => id).join('-'),
      direction: 'outbound-api',
      from: numberOf(from),
      to: numberOf(to),
      body,
      segments: segmentCount(body),
      messagingServiceSid: null,
      statusCallback: null,
      validityPeriod: secondsOf(submit.validityPeriod),
      ...(submit.wantsReceipt ? callbackPlanOf(fault) : { callbackPlan: 'never' as const }),
      fate: fault.mode === 'undelivered' ? 'undelivered' : 'delivered',
      createdAtMs: Date.now(),
      status: 'queued',
    });
    this.parts.delivery.accept(message);
  }

  private changed(message: Message): void {
    const { carrier, direction, status, fate, callbackPlan, callbackDelayMs = 0 } = message;
    if (carrier !== 'smsc' || direction !== 'outbound-api' || status !== fate || callbackPlan === 'never') return;
    const state = fate === 'delivered' ? 'DELIVRD' : 'UNDELIV';
    const receipts = message.sid.split('-').map((id): Receipt => ({ message, id, state, attempt: 1 }));
    const send = () => receipts.forEach((receipt) => this.send(receipt));
    // A receipt for a message that was never submitted.
    if (callbackPlan === 'fake') this.send({ message, id: this.newId(), state: 'UNDELIV', attempt: 1 });
    if (callbackPlan === 'late') this.timers.later(callbackDelayMs, send);
    else send();
    if (callbackPlan === 'twice') send();
  }

  /** Sends a receipt until the client takes it; without a client the receipt waits. */
  private send(receipt: Receipt): void {
    if (!this.server.isBound) {
      if (this.waiting.length < WAITING_MAX) this.waiting.push(receipt);
      return;
    }
    const { message, id, state, attempt } = receipt;
    const form = this.hexIds.has(id) ? Number(id).toString(16).toUpperCase() : id;
    const reference = this.references.get(id);
    const text =
      `id:${form} sub:001 dlvrd:${state === 'DELIVRD' ? '001' : '000'} submit date:${minuteOf(message.createdAtMs)} ` +
      `done date:${minuteOf(Date.now())} stat:${state} ` +
      `err:${String(state === 'DELIVRD' ? 0 : UNDELIVERED_CODE).padStart(3, '0')} text:`;
    void this.server
      .deliver({
        from: message.to.replace(/^\+/, ''),
        to: message.from.replace(/^\+/, ''),
        esmClass: RECEIPT,
        dataCoding: 0,
        octets: Buffer.from(text),
        more: reference === undefined ? {} : { user_message_reference: reference },
      })
      .then((status) => {
        if (status === statuses.ok || attempt === RECEIPT_ATTEMPTS_MAX) return;
        this.timers.later(RECEIPT_RETRY_MS, () => this.send({ ...receipt, attempt: attempt + 1 }));
      });
  }

  private sendWaiting(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const receipt of waiting) this.send(receipt);
  }
}

/** A number of the international plan is written without its plus sign. */
function numberOf(address: string): string {
  return /^\d{9,15}$/.test(address) ? `+${address}` : address;
}

/** An escape of GSM-7 stays with its character. */
function segmentsOf(octets: Buffer, dataCoding: number): Buffer[] {
  const segments: Buffer[] = [];
  const size = dataCoding === 0 ? 153 : SEGMENT_OCTETS;
  for (let start = 0; start < octets.length; start += segments.at(-1)?.length ?? size) {
    const end = start + size;
    const isEscape = dataCoding === 0 && end < octets.length && octets[end - 1] === 0x1b;
    segments.push(octets.subarray(start, isEscape ? end - 1 : end));
  }
  return segments;
}

/** YYMMDDhhmm, as in the text of a receipt. */
function minuteOf(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(/\D/g, '').slice(2, 12);
}

/** Seconds of a relative time without years and months; null for none. */
function secondsOf(period: string): number | null {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = /^0000(\d\d)(\d\d)(\d\d)(\d\d)000R$/.exec(period) ?? [];
  const total = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return total === 0 ? null : total;
}
