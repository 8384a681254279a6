import type { FastifyInstance } from 'fastify';
import type { CarrierName } from '../carriers/message.js';
import { type MessageStore, older } from '../carriers/message-store.js';
import type { EventStream } from '../pages/event-stream.js';
import { type MessageView, viewOf } from '../phone/phone.routes.js';
import type { FaultMode, Faults } from './faults.js';

const MESSAGES_SHOWN = 40;
const MINUTE_MS = 60_000;

/** A carrier on its page: its fault and its traffic. */
export interface CarrierView {
  readonly carrier: CarrierName;
  /** `none` while the carrier works. */
  readonly mode: FaultMode;
  /** Requests that the fault still applies to; null without such a bound. */
  readonly count: number | null;
  /** Time until the fault ends by itself; null without such a bound. */
  readonly remainingMs: number | null;
  /** Requests that met the fault. */
  readonly met: number;
  /** Messages that the carrier took in the last minute. */
  readonly tookInMinute: number;
}

export interface CarriersView {
  readonly carriers: readonly CarrierView[];
  /** Latest messages that carriers took from the product, newest first. */
  readonly messages: readonly MessageView[];
}

/** Read API of the carriers' page, under /_carriers. It sets faults through /_control/faults. */
export function carriersRoutes(
  store: MessageStore,
  faults: Faults,
  stream: EventStream,
  carriers: readonly CarrierName[],
) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/state', async (): Promise<CarriersView> => {
      const now = Date.now();
      const took = tookSince(store, now - MINUTE_MS);
      return {
        carriers: carriers.map((carrier) => {
          const { mode, count, endsAtMs } = faults.of(carrier);
          const remainingMs = endsAtMs === null ? null : Math.max(0, endsAtMs - now);
          return { carrier, mode, count, remainingMs, met: faults.met(carrier), tookInMinute: took.get(carrier) ?? 0 };
        }),
        messages: latest(store),
      };
    });

    stream.register(app);
  };
}

function tookSince(store: MessageStore, sinceMs: number): ReadonlyMap<CarrierName, number> {
  const counts = new Map<CarrierName, number>();
  for (const { carrier, direction, createdAtMs } of older(store.all)) {
    if (createdAtMs <= sinceMs) break;
    if (direction === 'outbound-api') counts.set(carrier, (counts.get(carrier) ?? 0) + 1);
  }
  return counts;
}

function latest(store: MessageStore): MessageView[] {
  const found: MessageView[] = [];
  for (const message of older(store.all)) {
    if (found.length === MESSAGES_SHOWN) break;
    if (message.direction === 'outbound-api') found.push(viewOf(message));
  }
  return found;
}
