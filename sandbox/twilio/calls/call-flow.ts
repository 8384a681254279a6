import { Timers } from '../../outgoing.js';
import type { CallBook } from './call-book.js';
import type { CallCallbacks } from './call-callbacks.js';
import { type Answerer, type Call, type CallEnd, hasEnded, type NewCall } from './call.js';

const SECOND_MS = 1_000;

/** SIP code of each end. */
const SIP_CODES: Readonly<Record<CallEnd, number>> = {
  completed: 200,
  busy: 486,
  'no-answer': 480,
  failed: 404,
  canceled: 487,
};

interface CallTimes {
  /** How long a call rings before it is answered automatically. */
  readonly callRingMs: number;
  /** How long a call lasts after it is answered. */
  readonly callTalkMs: number;
}

/** Moves calls from `queued` to their end, by time and by what the phone does. */
export class CallFlow {
  private readonly timers = new Timers();

  constructor(
    private readonly book: CallBook,
    private readonly callbacks: CallCallbacks,
    private readonly times: CallTimes,
  ) {}

  place(draft: NewCall): Call {
    const call = this.book.add(draft);
    if (call.fate !== 'stuck') this.later(0, call, () => this.dial(call));
    return call;
  }

  /** Answers a call. Returns false unless it rings. */
  answer(call: Call, answerer: Answerer): boolean {
    if (call.status !== 'ringing') return false;
    this.book.change(call, { status: 'in-progress', answerer, answeredAtMs: Date.now() });
    this.callbacks.enqueue(call, 'answered', 'in-progress');
    this.speak(call);
    return true;
  }

  /** Declines a call. Returns false unless it rings. */
  decline(call: Call): boolean {
    if (call.status === 'ringing') return this.end(call, 'busy');
    return false;
  }

  /** Ends a call that the phone has taken. Returns false unless it is in progress. */
  hangUp(call: Call): boolean {
    if (call.status === 'in-progress') return this.end(call, 'completed');
    return false;
  }

  /** Ends a call for the client: as `canceled` before it was answered. Returns false if it is over. */
  stop(call: Call): boolean {
    if (hasEnded(call)) return false;
    return this.end(call, call.status === 'in-progress' ? 'completed' : 'canceled');
  }

  /** Drops all waiting steps and callbacks. */
  clear(): void {
    this.timers.clear();
    this.callbacks.clear();
  }

  private dial(call: Call): void {
    this.callbacks.enqueue(call, 'initiated', 'initiated');
    this.later(this.times.callRingMs / 4, call, () => {
      if (call.problem !== null || call.fate === 'failed') this.end(call, 'failed');
      else if (call.fate === 'busy') this.end(call, 'busy');
      else this.ring(call);
    });
  }

  private ring(call: Call): void {
    this.book.change(call, { status: 'ringing' });
    this.callbacks.enqueue(call, 'ringing', 'ringing');
    const timeoutMs = call.timeoutSeconds * SECOND_MS;
    const isLeft = call.fate === 'no-answer';
    if (isLeft || (call.fate === 'person' && this.book.isAnsweredByHand(call.to))) {
      const ringsForMs = isLeft ? (call.ringsForMs ?? timeoutMs) : timeoutMs;
      this.later(ringsForMs, call, () => {
        if (call.status === 'ringing') this.end(call, 'no-answer');
      });
      return;
    }
    const answerer = call.fate === 'machine' ? 'machine' : 'human';
    this.later(this.times.callRingMs, call, () => this.answer(call, answerer));
  }

  /** Speaks the sentences one after another, then ends the call. */
  private speak(call: Call): void {
    const { sentences } = call;
    const eachMs = this.times.callTalkMs / (sentences.length + 1);
    const step = () => {
      if (call.spokenCount === sentences.length) return void this.end(call, 'completed');
      this.book.change(call, { spokenCount: call.spokenCount + 1 });
      this.later(eachMs, call, step);
    };
    this.later(eachMs, call, step);
  }

  private end(call: Call, status: CallEnd): true {
    this.book.change(call, { status, endedAtMs: Date.now(), sipCode: SIP_CODES[status] });
    this.callbacks.enqueue(call, 'completed', status);
    return true;
  }

  /** Does the next step of a call that has not ended meanwhile. */
  private later(afterMs: number, call: Call, work: () => void): void {
    this.timers.later(afterMs, () => {
      if (!hasEnded(call)) work();
    });
  }
}
