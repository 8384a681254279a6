import type { Said } from './twiml.js';

/** Progress events of a call, which a client subscribes to. */
export const CALL_EVENTS = ['initiated', 'ringing', 'answered', 'completed'] as const;
export type CallEvent = (typeof CALL_EVENTS)[number];

/** States of a call in Twilio's API; its callbacks know `initiated` besides. */
export const CALL_STATUSES = [
  'queued',
  'ringing',
  'in-progress',
  'completed',
  'busy',
  'failed',
  'no-answer',
  'canceled',
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];
export type CallEnd = Exclude<CallStatus, 'queued' | 'ringing' | 'in-progress'>;

/** Answerers of a call, as Twilio's detection would find them. */
export const ANSWERERS = ['human', 'machine', 'unknown'] as const;
export type Answerer = (typeof ANSWERERS)[number];

/** Course of a call: `person` leaves it to the phone. */
export type CallFate = 'person' | 'machine' | 'no-answer' | 'busy' | 'failed' | 'stuck';

export interface NewCall {
  readonly from: string;
  readonly to: string;
  readonly twiml: string;
  /** Sentences of the TwiML. */
  readonly sentences: readonly Said[];
  /** Error of the TwiML, which makes the call fail; null without one. */
  readonly problem: string | null;
  readonly statusCallback: string | null;
  readonly statusCallbackMethod: 'GET' | 'POST';
  readonly statusCallbackEvents: readonly CallEvent[];
  readonly timeoutSeconds: number;
  readonly machineDetection: 'Enable' | 'DetectMessageEnd' | null;
  readonly fate: CallFate;
  /** How long a call with the fate `no-answer` rings; null for its timeout. */
  readonly ringsForMs: number | null;
  readonly callbackPlan: 'once' | 'twice' | 'never' | 'late' | 'fake';
  readonly callbackDelayMs: number;
}

/** A call. Only `CallBook.change` changes it, so that watchers are notified. */
export interface Call extends NewCall {
  readonly sid: string;
  /** Order of arrival. */
  readonly sequence: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly status: CallStatus;
  readonly answerer: Answerer | null;
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Number of sentences that were spoken. */
  readonly spokenCount: number;
  /** SIP code of the end; null before. */
  readonly sipCode: number | null;
}

/** The mutable fields. */
export type CallChange = Partial<
  Pick<Call, 'status' | 'answerer' | 'answeredAtMs' | 'endedAtMs' | 'spokenCount' | 'sipCode'>
>;

export function hasEnded({ endedAtMs }: Call): boolean {
  return endedAtMs !== null;
}

/** Whole seconds since the call was answered, rounded up; 0 for a call that was not answered. */
export function durationSeconds({ answeredAtMs, endedAtMs }: Call): number {
  return answeredAtMs === null || endedAtMs === null ? 0 : Math.max(1, Math.ceil((endedAtMs - answeredAtMs) / 1_000));
}

/** Twilio's word for the answerer; null without machine detection. */
export function answeredBy({ answerer, machineDetection }: Call): string | null {
  if (machineDetection === null || answerer === null) return null;
  if (answerer !== 'machine') return answerer;
  return machineDetection === 'Enable' ? 'machine_start' : 'machine_end_beep';
}
