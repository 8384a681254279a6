import { randomUUID, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReplyPoster } from '../carriers/inbound.js';
import type { Message } from '../carriers/message.js';
import { keywordOf } from '../carriers/opt-outs.js';
import type { Poster } from '../outgoing.js';
import {
  ANSWER_MS,
  ATTEMPT_PAUSES_MS,
  isTaken,
  privateKeyOf,
  PROFILE_PATH,
  signedEvent,
  type TelnyxSettings,
} from './events.js';
import { inboundResource } from './message-resource.js';

/** Posts replies as Telnyx does, to the URL of the messaging profile. */
export class TelnyxReplies implements ReplyPoster {
  private readonly key: KeyObject;

  /** `apiOrigin` is the API's address for the product. */
  constructor(
    private readonly settings: TelnyxSettings,
    private readonly apiOrigin: () => string,
  ) {
    this.key = privateKeyOf(settings.telnyxSeed);
  }

  newId(): string {
    return randomUUID();
  }

  async post(poster: Poster, message: Message): Promise<{ status: number; problem: string | null }> {
    const { productUrl, publicProductUrl } = this.settings;
    const payload = inboundResource(message, keywordOf(message.body), this.apiOrigin());
    let result: { status: number; problem: string | null } = { status: 0, problem: null };
    for (const pauseMs of ATTEMPT_PAUSES_MS) {
      if (pauseMs > 0) await pause(pauseMs, undefined, { ref: false });
      const { headers, body } = signedEvent(this.key, 'message.received', payload, publicProductUrl + PROFILE_PATH);
      result = await poster.post(productUrl + PROFILE_PATH, headers, body, ANSWER_MS).then(
        ({ status }) => ({ status, problem: isTaken(status) ? null : `The webhook was answered with ${status}` }),
        // A missing answer is a result: status 0.
        (error: NodeJS.ErrnoException) => ({
          status: 0,
          problem: `The webhook got no answer: ${error.message || error.code}`,
        }),
      );
      if (result.problem === null) break;
    }
    return result;
  }
}
