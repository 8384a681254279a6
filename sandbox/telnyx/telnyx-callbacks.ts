import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { SignedPost, StatusCallbacks } from '../carriers/delivery.js';
import type { Message, MessageStatus } from '../carriers/message.js';
import {
  ANSWER_MS,
  ATTEMPT_PAUSES_MS,
  isTaken,
  privateKeyOf,
  PROFILE_PATH,
  signedEvent,
  type TelnyxSettings,
} from './events.js';
import { messageResource } from './message-resource.js';
import { FILTERED_CODE, UNDELIVERED_CODE } from './telnyx-error.js';

export class TelnyxCallbacks implements StatusCallbacks {
  readonly undeliveredCode = UNDELIVERED_CODE;
  readonly filteredCode = FILTERED_CODE;
  readonly answerMs = ANSWER_MS;
  readonly isTaken = isTaken;
  private readonly key: KeyObject;
  private readonly otherKey = generateKeyPairSync('ed25519').privateKey;

  constructor(private readonly settings: TelnyxSettings) {
    this.key = privateKeyOf(settings.telnyxSeed);
  }

  attempts(url: string) {
    const profileUrl = this.settings.publicProductUrl + PROFILE_PATH;
    return [url, profileUrl].flatMap((to) => ATTEMPT_PAUSES_MS.map((pauseMs) => ({ url: to, pauseMs })));
  }

  post(message: Message, status: MessageStatus, url: string): SignedPost {
    return receipt(this.key, message, status, url);
  }

  forged(message: Message, url: string): SignedPost {
    return receipt(this.otherKey, message, 'undelivered', url);
  }
}

function receipt(key: KeyObject, message: Message, status: MessageStatus, url: string): SignedPost {
  const type = status === 'sent' ? 'message.sent' : 'message.finalized';
  return signedEvent(key, type, messageResource(message, status), url);
}
