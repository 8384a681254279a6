import type { FastifyInstance } from 'fastify';
import { type CarrierName, channelOf } from '../carriers/message.js';
import { type MessageStore, older } from '../carriers/message-store.js';
import type { EventStream } from '../pages/event-stream.js';
import { type MessageView, viewOf } from '../phone/phone.routes.js';
import type { CallBook } from '../twilio/calls/call-book.js';
import type { FaultMode, Faults } from './faults.js';

const MESSAGES_SHOWN = 40;
const MINUTE_MS = 60_000;

/** Channels of Twilio besides SMS, with faults of their own. */
export const CHANNELS = ['whatsapp', 'voice'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** A carrier or a channel on its page: its fault and its traffic. */
export interface CarrierView {
  readonly carrier: CarrierName | ChannelName;
  /** `none` while the carrier works. */
  readonly mode: FaultMode;
  /** Requests that the fault still applies to; null without such a bound. */
  readonly count: number | null;
  /** Time until the fault ends by itself; null without such a bound. */
  readonly remainingMs: number | null;
  /** Requests that met the fault. */
  readonly met: number;
  /** Messages or calls that the carrier took in the last minute. */
  readonly tookInMinute: number;
}

export interface CarriersView {
  readonly carriers: readonly CarrierView[];
  readonly channels: readonly CarrierView[];
  /** Latest SMS messages that carriers took from the product, newest first. */
  readonly messages: readonly MessageView[];
}

/** Read API of the carriers' page, under /_carriers. It sets faults through /_control/faults. */
export function carriersRoutes(
  store: MessageStore,
  calls: CallBook,
  faults: Faults,
  stream: EventStream,
  carriers: readonly CarrierName[],
) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/state', async (): Promise<CarriersView> => {
      const now = Date.now();
      const took = tookSince(store, calls, now - MINUTE_MS);
      const viewed = (carrier: CarrierName | ChannelName): CarrierView => {
        const { mode, count, endsAtMs } = faults.of(carrier);
        const remainingMs = endsAtMs === null ? null : Math.max(0, endsAtMs - now);
        return { carrier, mode, count, remainingMs, met: faults.met(carrier), tookInMinute: took.get(carrier) ?? 0 };
      };
      return {
        carriers: carriers.map(viewed),
        channels: CHANNELS.map(viewed),
        messages: latest(store),
      };
    });

    stream.register(app);
  };
}

function tookSince(
  store: MessageStore,
  calls: CallBook,
  sinceMs: number,
): ReadonlyMap<CarrierName | ChannelName, number> {
  const counts = new Map<CarrierName | ChannelName, number>();
  for (const { carrier, to, direction, createdAtMs } of older(store.all)) {
    if (createdAtMs <= sinceMs) break;
    const taker = channelOf({ to }) === 'whatsapp' ? 'whatsapp' : carrier;
    if (direction === 'outbound-api') counts.set(taker, (counts.get(taker) ?? 0) + 1);
  }
  const firstOld = calls.all.findLastIndex(({ createdAtMs }) => createdAtMs <= sinceMs);
  return counts.set('voice', calls.all.length - 1 - firstOld);
}

function latest(store: MessageStore): MessageView[] {
  const found: MessageView[] = [];
  for (const message of older(store.all)) {
    if (found.length === MESSAGES_SHOWN) break;
    if (message.direction === 'outbound-api' && channelOf(message) === 'sms') found.push(viewOf(message));
  }
  return found;
}
