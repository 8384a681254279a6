import { sandboxUrlOf, type Place } from '../processes/environment.js';

const timeoutMs = 60_000;

/** A message as it reached the carrier; instants in ms since 1970, of one and the same clock. */
export interface Arrival {
  readonly messageId: string;
  readonly acceptedAtMs: number;
  readonly arrivedAtMs: number;
}

interface SeenMessage {
  readonly statusCallback: string | null;
  readonly at: string;
}

/** The sandbox, seen through its control calls. */
export class CarrierView {
  private readonly url: string;

  constructor(place: Place) {
    this.url = sandboxUrlOf(place);
  }

  async count(): Promise<number> {
    return ((await this.get('/_control/messages/count')) as { count: number }).count;
  }

  /** Everything that arrived, oldest first; with `to`, at that number alone. */
  async arrivals(to?: string): Promise<Arrival[]> {
    const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
    return ((await this.get(`/_control/messages${query}`)) as SeenMessage[]).map(arrivalOf);
  }

  /** From now on every answer takes this long. */
  async delayAnswers(delayMs: number): Promise<void> {
    const answer = await fetch(`${this.url}/_control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service: 'twilio', mode: delayMs > 0 ? 'delay' : 'none', delayMs }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!answer.ok) throw new Error(`The sandbox refused a fault: ${await answer.text()}`);
  }

  private async get(path: string): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${path}`);
    return answer.json();
  }
}

// The message's id travels in the callback's URL; it is a UUIDv7, whose first 48 bits are when it was made (RFC 9562, 5.7).
function arrivalOf({ statusCallback, at }: SeenMessage): Arrival {
  const hex = /message_id=SM([0-9a-f]{32})/.exec(statusCallback ?? '')?.[1];
  if (hex === undefined) throw new Error(`A message came without our id in its callback: ${statusCallback}`);
  return { messageId: hex, acceptedAtMs: parseInt(hex.slice(0, 12), 16), arrivedAtMs: Date.parse(at) };
}
