/** The ways in which a stand-in can misbehave on command. */
export const FAULT_MODES = [
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
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

/** The stand-ins that can be told to misbehave. */
export const FAULT_SERVICES = ['twilio'] as const;
export type FaultService = (typeof FAULT_SERVICES)[number];

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

  clear(): void {
    this.byService.clear();
  }
}

function none(service: FaultService): Fault {
  return { service, mode: 'none', count: null, delayMs: 0 };
}
