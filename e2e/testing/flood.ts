import { setTimeout as delay } from 'node:timers/promises';
import type { Api, SendOutcome, SendRequest } from './api.js';

const REPETITIONS_MAX = 30;

type KeyedRequest = SendRequest & { readonly idempotencyKey: string };
type Sends = Pick<Api, 'send'>;

export interface Flood {
  /** Number of sends with an outcome so far. */
  readonly answered: () => number;
  /** Every request with its outcome, in the order of the requests. */
  readonly done: Promise<{ request: SendRequest; outcome: SendOutcome }[]>;
}

/** Sends all requests, at most `atOnceMax` under way at the same time. */
export function flood(api: Sends, requests: readonly SendRequest[], atOnceMax = 50): Flood {
  const results: { request: SendRequest; outcome: SendOutcome }[] = [];
  let answered = 0;
  const rest = requests.entries();
  const lane = async () => {
    for (const [index, request] of rest) {
      results[index] = { request, outcome: await api.send(request) };
      answered += 1;
    }
  };
  return {
    answered: () => answered,
    done: Promise.all(Array.from({ length: atOnceMax }, lane)).then(() => results),
  };
}

/**
 * Sends all requests as a careful customer does: each with an Idempotency-Key of its own, and again
 * while the answer is 503 or missing, as on a machine that stands still for a moment.
 */
export function persistentFlood(api: Api, requests: readonly KeyedRequest[]): Flood {
  return flood({ send: (request) => sendPersistently(api, request) }, requests);
}

async function sendPersistently(api: Sends, request: SendRequest): Promise<SendOutcome> {
  for (let repetition = 0; ; repetition += 1) {
    const outcome = await api.send(request);
    const isFinal = outcome.kind === 'accepted' || (outcome.kind === 'refused' && outcome.status !== 503);
    if (isFinal || repetition === REPETITIONS_MAX) return outcome;
    await delay(outcome.kind === 'refused' ? Number(outcome.retryAfter) * 1_000 : 0);
  }
}

/** Requests with their reference as their Idempotency-Key. */
export function keyed(requests: readonly SendRequest[]): KeyedRequest[] {
  return requests.map((request) => ({ ...request, idempotencyKey: request.reference ?? '' }));
}

/** Different messages to many different numbers of the USA, each with its own reference. */
export function differentMessages(count: number, apikey: string, name: string): SendRequest[] {
  return Array.from({ length: count }, (_none, index) => ({
    to: `+1415${2_000_000 + (index % 1_000)}`,
    message: `${name} ${index}`,
    reference: `${name}-${index}`,
    apikey,
  }));
}
