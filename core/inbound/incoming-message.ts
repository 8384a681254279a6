import type { OptOutWish } from '../rules/message-text.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';

/** A message as the carrier brings it. */
export interface IncomingMessage {
  /** The same for every repeat of it. */
  readonly carrierId: string;
  /** The person's number: E.164, a short code, or a name. */
  readonly sender: string;
  /** Our number. */
  readonly recipient: string;
  /** The messaging service that our number belongs to. */
  readonly service: string | undefined;
  readonly text: string;
  readonly segments: number;
  /** What the carrier itself took the text for. */
  readonly wish: OptOutWish | undefined;
  readonly origin?: RequestContext | undefined;
}

/** The senders that a reply is to: what messages of ours may have left from. */
export function sendersOf({ recipient, service }: IncomingMessage): string[] {
  return service === undefined ? [recipient] : [recipient, service];
}
