import type { Api, SendOutcome, SendRequest } from './api.js';

export interface Flood {
  /** How many sends have an outcome so far. */
  readonly answered: () => number;
  /** Every request with its outcome, in the order of the requests. */
  readonly done: Promise<{ request: SendRequest; outcome: SendOutcome }[]>;
}

/** Sends all requests, at most `atOnceMax` under way at the same time. */
export function flood(api: Api, requests: readonly SendRequest[], atOnceMax = 50): Flood {
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

/** So many different messages to many different numbers of the USA, each with its own reference. */
export function differentMessages(count: number, apikey: string, name: string): SendRequest[] {
  return Array.from({ length: count }, (_none, index) => ({
    to: `+1415${2_000_000 + (index % 1_000)}`,
    message: `${name} ${index}`,
    reference: `${name}-${index}`,
    apikey,
  }));
}
