import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Poster, reachableUrl } from '../../outgoing.js';
import { rfc2822 } from '../message-resource.js';
import { signedHeaders, twilioSignature, type TwilioSettings } from '../twilio-callbacks.js';
import { answeredBy, type Call, type CallEvent, type CallStatus, durationSeconds, hasEnded } from './call.js';

/** Twilio tries again once when no connection could be made. */
const CONNECTS_MAX = 2;
const MINUTE_SECONDS = 60;
const CODES_WITHOUT_CONNECTION = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'];

/** Posts the progress events of calls that their clients subscribed to, in order per call. */
export class CallCallbacks {
  /** The last waiting callback of each call. */
  private readonly waiting = new Map<Call, Promise<void>>();
  /** Number of events of each call that has not ended. */
  private readonly events = new Map<Call, number>();

  constructor(
    private readonly settings: TwilioSettings,
    private readonly poster: Poster,
  ) {}

  /** Counts an event of a call and posts it if it is wanted. */
  enqueue(call: Call, event: CallEvent, status: CallStatus | 'initiated'): void {
    const sequence = this.events.get(call) ?? 0;
    if (event === 'completed') this.events.delete(call);
    else this.events.set(call, sequence + 1);
    const { statusCallback: url, statusCallbackEvents, callbackPlan, callbackDelayMs } = call;
    if (url === null || callbackPlan === 'never' || !statusCallbackEvents.includes(event)) return;
    const fields = this.fields(call, status, sequence);
    const post = async () => {
      if (callbackPlan === 'late') await pause(callbackDelayMs, undefined, { ref: false });
      if (callbackPlan === 'fake') await this.forge(call, url, fields);
      await this.send(call, url, fields, this.settings.authToken);
      if (callbackPlan === 'twice') await this.send(call, url, fields, this.settings.authToken);
    };
    const last = (this.waiting.get(call) ?? Promise.resolve()).then(post).then(() => {
      if (this.waiting.get(call) === last) this.waiting.delete(call);
    });
    this.waiting.set(call, last);
  }

  /** Drops waiting callbacks; running posts finish. */
  clear(): void {
    this.waiting.clear();
    this.events.clear();
  }

  /** Posts a callback that claims an end, signed with a key that is not Twilio's. */
  private async forge(call: Call, url: string, fields: Record<string, string>): Promise<void> {
    const claimed = { ...fields, CallStatus: 'failed', CallDuration: '0', SipResponseCode: '404' };
    await this.send(call, url, claimed, randomBytes(16).toString('hex'));
  }

  private async send(call: Call, url: string, fields: Record<string, string>, authToken: string): Promise<void> {
    for (let connects = 1; connects <= CONNECTS_MAX && this.waiting.has(call); connects++) {
      const reason = await this.post(call, url, fields, authToken).then(
        () => null,
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      // Any answer ends the attempts, also one that never comes: Twilio repeats only connections.
      if (reason === null || !CODES_WITHOUT_CONNECTION.includes(reason)) return;
    }
  }

  private async post(call: Call, url: string, fields: Record<string, string>, authToken: string): Promise<void> {
    const form = new URLSearchParams(fields).toString();
    if (call.statusCallbackMethod === 'POST') {
      await this.poster.post(reachableUrl(url, this.settings), signedHeaders(authToken, url, fields), form);
      return;
    }
    const full = `${url}${url.includes('?') ? '&' : '?'}${form}`;
    const signature = twilioSignature(authToken, full, {});
    await this.poster.get(reachableUrl(full, this.settings), {
      'user-agent': 'TwilioProxy/1.1',
      'x-twilio-signature': signature,
    });
  }

  // Fields as documented in "Status callback request parameters" on Twilio's page on the Call
  // resource, without places.
  private fields(call: Call, status: string, sequence: number): Record<string, string> {
    const found = answeredBy(call);
    return {
      AccountSid: this.settings.accountSid,
      ApiVersion: '2010-04-01',
      CallSid: call.sid,
      CallStatus: status,
      CallbackSource: 'call-progress-events',
      Called: call.to,
      Caller: call.from,
      Direction: 'outbound-api',
      From: call.from,
      SequenceNumber: String(sequence),
      Timestamp: rfc2822(Date.now()),
      To: call.to,
      ...(found !== null && { AnsweredBy: found }),
      ...(hasEnded(call) && {
        CallDuration: String(durationSeconds(call)),
        // Minutes that are billed.
        Duration: String(Math.ceil(durationSeconds(call) / MINUTE_SECONDS)),
      }),
      ...(call.sipCode !== null && { SipResponseCode: String(call.sipCode) }),
    };
  }
}
