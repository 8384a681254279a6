import { randomUUID } from 'node:crypto';
import type { Call, CallChange, NewCall } from './call.js';

/** Bound on stored calls. The oldest tenth is dropped when it is exceeded. */
const CALLS_KEPT_MAX = 20_000;

/** The newest calls in memory, and the numbers whose calls a person answers. */
export class CallBook {
  private calls: Call[] = [];
  private readonly bySid = new Map<string, Call>();
  private readonly byHand = new Set<string>();
  private readonly watchers: (() => void)[] = [];
  private nextSequence = 1;

  constructor(private readonly keptMax = CALLS_KEPT_MAX) {}

  /** All calls in order of arrival. */
  get all(): readonly Call[] {
    return this.calls;
  }

  get(sid: string): Call | undefined {
    return this.bySid.get(sid);
  }

  /** Calls `watcher` after every change of a call or of a phone's choice. */
  watch(watcher: () => void): void {
    this.watchers.push(watcher);
  }

  add(draft: NewCall): Call {
    const now = Date.now();
    const call: Call = {
      ...draft,
      sid: `CA${randomUUID().replaceAll('-', '')}`,
      sequence: this.nextSequence++,
      createdAtMs: now,
      updatedAtMs: now,
      status: 'queued',
      answerer: null,
      answeredAtMs: null,
      endedAtMs: null,
      spokenCount: 0,
      sipCode: null,
    };
    this.calls.push(call);
    this.bySid.set(call.sid, call);
    if (this.calls.length > this.keptMax) {
      for (const { sid } of this.calls.splice(0, Math.ceil(this.keptMax / 10))) this.bySid.delete(sid);
    }
    this.announce();
    return call;
  }

  change(call: Call, change: CallChange): void {
    Object.assign(call, change, { updatedAtMs: Date.now() });
    this.announce();
  }

  /** Whether calls to a number ring until a person takes them. */
  isAnsweredByHand(number: string): boolean {
    return this.byHand.has(number);
  }

  answerByHand(number: string, isByHand: boolean): void {
    if (isByHand) this.byHand.add(number);
    else this.byHand.delete(number);
    this.announce();
  }

  clear(): void {
    this.calls = [];
    this.bySid.clear();
    this.byHand.clear();
    this.announce();
  }

  private announce(): void {
    for (const watcher of this.watchers) watcher();
  }
}
