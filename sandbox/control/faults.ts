import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** The stand-ins that can be told to misbehave, and the ways in which each can. */
export const FAULT_MODES = {
  twilio: [
    'none',
    'delay',
    '429',
    '500',
    'refuse',
    'timeout',
    'lost-answer',
    'duplicate-callback',
    'no-callback',
    'undelivered',
  ],
  stripe: ['none', 'delay', '429', '500', 'timeout', 'lost-answer', 'no-webhook', 'duplicate-webhook', 'late-webhook'],
  google: ['none', 'delay', '500', 'timeout'],
  mail: ['none', 'delay', 'refuse', 'temporary', 'timeout'],
} as const;
export type FaultService = keyof typeof FAULT_MODES;
export type FaultMode = (typeof FAULT_MODES)[FaultService][number];

export const FAULT_SERVICES = Object.keys(FAULT_MODES) as FaultService[];

/** A fault as it stands: `count` is how many requests it still applies to, null until it is changed. */
export interface Fault {
  readonly service: FaultService;
  readonly mode: FaultMode;
  readonly count: number | null;
  readonly delayMs: number;
}

/** Which fault is set for which service. */
export class Faults {
  private readonly byService = new Map<FaultService, Fault>();

  set(fault: Fault): Fault {
    this.byService.set(fault.service, fault);
    return fault;
  }

  list(): Fault[] {
    return FAULT_SERVICES.map((service) => this.byService.get(service) ?? none(service));
  }

  /** The fault for the request at hand, which uses up one of its count. */
  take(service: FaultService): Fault {
    const fault = this.byService.get(service);
    if (fault === undefined) return none(service);
    if (fault.count === 1) this.byService.delete(service);
    else if (fault.count !== null) this.byService.set(service, { ...fault, count: fault.count - 1 });
    return fault;
  }

  /** The same, if the fault that is set is one of these: a service may be met in more than one way. */
  takeIf(service: FaultService, modes: readonly FaultMode[]): Fault {
    const mode = this.byService.get(service)?.mode;
    return mode !== undefined && modes.includes(mode) ? this.take(service) : none(service);
  }

  clear(): void {
    this.byService.clear();
  }
}

function none(service: FaultService): Fault {
  return { service, mode: 'none', count: null, delayMs: 0 };
}

/** Carries out `delay` and `timeout`. False if the request is to stay without an answer. */
export async function holdUp(fault: Fault, reply: FastifyReply): Promise<boolean> {
  if (fault.mode === 'delay') await pause(fault.delayMs);
  if (fault.mode !== 'timeout') return true;
  reply.hijack();
  return false;
}
