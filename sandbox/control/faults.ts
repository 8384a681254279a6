import type { FastifyReply } from 'fastify';
import { HungSockets } from './hung-sockets.js';

/** Faults of the creates of every carrier, WhatsApp and calls included. */
const CREATE_MODES = [
  'none',
  'delay',
  '429',
  '500',
  'refuse',
  'timeout',
  'lost-answer',
  'accepted-then-5xx',
  'suspended',
  'duplicate-callback',
  'late-callback',
  'fake-callback',
  'no-callback',
] as const;

/** Faults of the creates of carriers of text messages. */
const CARRIER_MODES = [...CREATE_MODES, 'undelivered'] as const;

/** Faults of carriers that take files and have a code for filtered messages. */
const HTTP_CARRIER_MODES = ['filtered', 'media-404', 'media-slow'] as const;

/**
 * Fault modes by service. To add a mode, list it here and add its error or effect to the service.
 */
export const FAULT_MODES = {
  twilio: [...CARRIER_MODES, ...HTTP_CARRIER_MODES],
  telnyx: [...CARRIER_MODES, ...HTTP_CARRIER_MODES],
  smsc: [...CARRIER_MODES, 'queue-full', 'unbind', 'already-bound', 'hex-ids'],
  numbers: [
    'none',
    'delay',
    '429',
    '500',
    'refuse',
    'timeout',
    'lost-answer',
    'accepted-then-5xx',
    'suspended',
    'taken',
    'no-sms',
    'other-country',
    'order-failure',
    'order-pending',
  ],
  stripe: ['none', 'delay', '429', '500', 'timeout', 'lost-answer', 'no-webhook', 'duplicate-webhook', 'late-webhook'],
  google: ['none', 'delay', '500', 'timeout'],
  /** Faults of the files of messages, which the product fetches. */
  media: ['none', 'delay', '404', '500', 'timeout', 'wrong-type', 'wrong-length', 'redirect-away'],
  mail: ['none', 'delay', 'refuse', 'reject', 'temporary', 'busy', 'timeout', 'lost-answer'],
  whatsapp: [...CREATE_MODES, 'unknown-template', 'template-paused', 'outside-session', 'no-whatsapp', 'unknown-to'],
  voice: [...CREATE_MODES, 'no-answer', 'busy', 'failed', 'machine', 'stuck'],
} as const;
type FaultService = keyof typeof FAULT_MODES;
export type FaultMode = (typeof FAULT_MODES)[FaultService][number];

export const FAULT_SERVICES = Object.keys(FAULT_MODES) as FaultService[];

/** Services whose faults can apply to some recipients alone. */
export const SERVICES_WITH_RECIPIENTS: readonly FaultService[] = ['whatsapp', 'voice', 'mail'];

/**
 * `from` is the sender of the messages that the fault applies to, null for all messages of a
 * service; only carriers have such faults. `to` has the recipients that the fault applies to, and
 * is absent for all recipients. `count` is the number of requests that the fault still
 * applies to, and `endsAtMs` the time when it ends by itself; null means no bound.
 */
export interface Fault {
  readonly service: FaultService;
  readonly mode: FaultMode;
  readonly from: string | null;
  readonly to?: readonly string[];
  readonly count: number | null;
  readonly delayMs: number;
  readonly endsAtMs: number | null;
}

/** Addresses that a request names, if it does. */
interface Addresses {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** The current fault of each service. */
export class Faults {
  private readonly byService = new Map<FaultService, Fault>();
  private readonly hung = new Map<FaultService, HungSockets>();
  /** Requests that met the current fault. */
  private readonly metBy = new Map<FaultService, number>();
  private readonly timers = new Map<FaultService, NodeJS.Timeout>();
  private readonly watchers: (() => void)[] = [];

  /** Calls `watcher` whenever a fault begins, ends or is met by a request. */
  watch(watcher: () => void): void {
    this.watchers.push(watcher);
  }

  /** Sets a fault and breaks the connections that the earlier fault left unanswered. */
  set(fault: Fault): Fault {
    const { service, endsAtMs } = fault;
    this.hung.get(service)?.close();
    this.forget(service);
    this.byService.set(service, fault);
    if (endsAtMs !== null) this.timers.set(service, setTimeout(() => this.end(service), endsAtMs - Date.now()).unref());
    this.announce();
    return fault;
  }

  /** Leaves a request unanswered, until the fault is changed or the client closes the connection. */
  hang({ service }: Fault, reply: FastifyReply): void {
    reply.hijack();
    const hung = this.hung.get(service) ?? new HungSockets();
    this.hung.set(service, hung);
    hung.keep(reply.request.raw.socket);
  }

  list(): Fault[] {
    return FAULT_SERVICES.map((service) => this.of(service));
  }

  of(service: FaultService): Fault {
    return this.byService.get(service) ?? none(service);
  }

  /** Number of requests that met the current fault of a service. */
  met(service: FaultService): number {
    return this.metBy.get(service) ?? 0;
  }

  /**
   * Returns the fault for one request and decrements its count. With `modes`, returns `none` unless
   * the fault has one of them. `about` has the sender and the recipient that the request names.
   */
  take(service: FaultService, modes?: readonly FaultMode[], about: Addresses = {}): Fault {
    const fault = this.byService.get(service);
    if (fault === undefined || fault.mode === 'none' || modes?.includes(fault.mode) === false) return none(service);
    if (fault.from !== null && fault.from !== about.from) return none(service);
    if (fault.to !== undefined && !fault.to.includes(String(about.to).toLowerCase())) return none(service);
    this.metBy.set(service, this.met(service) + 1);
    if (fault.count === 1) this.forget(service);
    else if (fault.count !== null) this.byService.set(service, { ...fault, count: fault.count - 1 });
    this.announce();
    return fault;
  }

  /** Takes the fault of a service if it is one of some recipients alone. */
  takeOfRecipient(service: FaultService, to: string): Fault {
    return this.of(service).to === undefined ? none(service) : this.take(service, undefined, { to });
  }

  clear(): void {
    for (const hung of this.hung.values()) hung.close();
    this.byService.clear();
    for (const service of FAULT_SERVICES) this.forget(service);
    this.announce();
  }

  private end(service: FaultService): void {
    this.hung.get(service)?.close();
    this.forget(service);
    this.announce();
  }

  private forget(service: FaultService): void {
    clearTimeout(this.timers.get(service));
    for (const known of [this.byService, this.metBy, this.timers]) known.delete(service);
  }

  private announce(): void {
    for (const watcher of this.watchers) watcher();
  }
}

function none(service: FaultService): Fault {
  return { service, mode: 'none', from: null, count: null, delayMs: 0, endsAtMs: null };
}

/** A service's error answers by mode. */
export type FaultErrors = Partial<Record<FaultMode, () => Error>>;

/**
 * Applies a fault before the work is done. Throws the service's error; returns false when the
 * request stays unanswered.
 */
export function failBefore(fault: Fault, faults: Faults, reply: FastifyReply, errors: FaultErrors): boolean {
  const error = errors[fault.mode]?.();
  if (error !== undefined) throw error;
  if (fault.mode === 'timeout') faults.hang(fault, reply);
  return fault.mode !== 'timeout';
}

/**
 * Applies a fault after the work is done: sends the answer at once, late or never. Throws the
 * service's error.
 */
export function failAfter({ mode, delayMs }: Fault, reply: FastifyReply, send: () => void, errors: FaultErrors): void {
  const error = errors[mode]?.();
  if (error !== undefined) throw error;
  if (mode === 'delay') setTimeout(send, delayMs);
  else if (mode !== 'lost-answer') send();
  else {
    reply.hijack();
    reply.raw.socket?.destroy();
  }
}
