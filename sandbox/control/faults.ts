import type { FastifyReply } from 'fastify';

/** Of the create requests of every carrier. */
const CARRIER_MODES = [
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
  'undelivered',
] as const;

/**
 * Fault modes by service. To add a mode, list it here and add its error or effect to the service.
 */
export const FAULT_MODES = {
  twilio: CARRIER_MODES,
  telnyx: CARRIER_MODES,
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
  ],
  stripe: ['none', 'delay', '429', '500', 'timeout', 'lost-answer', 'no-webhook', 'duplicate-webhook', 'late-webhook'],
  google: ['none', 'delay', '500', 'timeout'],
  mail: ['none', 'delay', 'refuse', 'reject', 'temporary', 'busy', 'timeout', 'lost-answer'],
} as const;
type FaultService = keyof typeof FAULT_MODES;
export type FaultMode = (typeof FAULT_MODES)[FaultService][number];

export const FAULT_SERVICES = Object.keys(FAULT_MODES) as FaultService[];

/**
 * `count` is the number of requests that the fault still applies to; null means all until it is
 * changed.
 */
export interface Fault {
  readonly service: FaultService;
  readonly mode: FaultMode;
  readonly count: number | null;
  readonly delayMs: number;
}

/** The current fault of each service. */
export class Faults {
  private readonly byService = new Map<FaultService, Fault>();

  set(fault: Fault): Fault {
    this.byService.set(fault.service, fault);
    return fault;
  }

  list(): Fault[] {
    return FAULT_SERVICES.map((service) => this.byService.get(service) ?? none(service));
  }

  /**
   * Returns the fault for one request and decrements its count. With `modes`, returns `none` unless
   * the fault has one of them.
   */
  take(service: FaultService, modes?: readonly FaultMode[]): Fault {
    const fault = this.byService.get(service);
    if (fault === undefined || modes?.includes(fault.mode) === false) return none(service);
    if (fault.count === 1) this.byService.delete(service);
    else if (fault.count !== null) this.byService.set(service, { ...fault, count: fault.count - 1 });
    return fault;
  }

  clear(): void {
    this.byService.clear();
  }
}

function none(service: FaultService): Fault {
  return { service, mode: 'none', count: null, delayMs: 0 };
}

/** A service's error answers by mode. */
export type FaultErrors = Partial<Record<FaultMode, () => Error>>;

/**
 * Applies a fault before the work is done. Throws the service's error; returns false when the
 * request stays unanswered.
 */
export function failBefore({ mode }: Fault, reply: FastifyReply, errors: FaultErrors): boolean {
  const error = errors[mode]?.();
  if (error !== undefined) throw error;
  if (mode === 'timeout') reply.hijack();
  return mode !== 'timeout';
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
