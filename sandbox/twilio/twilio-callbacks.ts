import { createHmac, randomBytes } from 'node:crypto';
import type { SignedPost, StatusCallbacks } from '../carriers/delivery.js';
import { channelOf, type Message, type MessageStatus, numberOf } from '../carriers/message.js';
import { FILE_CODES, FILTERED_CODE, UNDELIVERED_CODE } from './twilio-error.js';

/**
 * X-Twilio-Signature: base64 HMAC-SHA1 of the URL followed by all names and values, sorted by name
 * (Twilio's webhook security page).
 */
export function twilioSignature(authToken: string, url: string, fields: Record<string, string>): string {
  let signed = url;
  for (const name of Object.keys(fields).sort()) signed += name + fields[name];
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}

/** Headers of a form that is signed for its public URL. */
export function signedHeaders(authToken: string, url: string, fields: Record<string, string>): Record<string, string> {
  return {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'user-agent': 'TwilioProxy/1.1',
    'x-twilio-signature': twilioSignature(authToken, url, fields),
  };
}

export interface TwilioSettings {
  readonly accountSid: string;
  readonly authToken: string;
  readonly productUrl: string;
  readonly publicProductUrl: string;
}

/** Delays before retries of a failed post. */
const RETRY_PAUSES_MS = [500, 2_000, 5_000];

export class TwilioCallbacks implements StatusCallbacks {
  readonly undeliveredCode = UNDELIVERED_CODE;
  readonly filteredCode = FILTERED_CODE;
  readonly fileCodes = FILE_CODES;

  constructor(private readonly settings: TwilioSettings) {}

  attempts(url: string) {
    return [0, ...RETRY_PAUSES_MS].map((pauseMs) => ({ url, pauseMs }));
  }

  post(message: Message, status: MessageStatus, url: string): SignedPost {
    return this.signed(this.settings.authToken, message, status, url);
  }

  forged(message: Message, url: string): SignedPost {
    return this.signed(randomBytes(16).toString('hex'), message, 'undelivered', url);
  }

  /** Twilio retries after a 5xx or without an answer. */
  isTaken(productStatus: number): boolean {
    return productStatus < 500;
  }

  private signed(authToken: string, message: Message, status: MessageStatus, url: string): SignedPost {
    const fields = this.fields(message, status);
    return { headers: signedHeaders(authToken, url, fields), body: new URLSearchParams(fields).toString() };
  }

  private fields(message: Message, status: MessageStatus): Record<string, string> {
    const fields: Record<string, string> = {
      AccountSid: this.settings.accountSid,
      ApiVersion: '2010-04-01',
      From: message.from,
      MessageSid: message.sid,
      MessageStatus: status,
      SmsSid: message.sid,
      SmsStatus: status,
      To: message.to,
    };
    if (message.messagingServiceSid !== null) fields['MessagingServiceSid'] = message.messagingServiceSid;
    if (status === 'undelivered' || status === 'failed')
      fields['ErrorCode'] = String(message.errorCode ?? UNDELIVERED_CODE);
    return channelOf(message) === 'whatsapp' ? { ...fields, ...whatsAppFields(message, status) } : fields;
  }
}

/** The last digits of a number, which Twilio masks in `ChannelToAddress`. */
const MASKED_DIGITS = /\d{4}$/;
/** The account's WhatsApp installation. */
const CHANNEL_INSTALL_SID = `XE${'5a9db0c5'.repeat(4)}`;

/** Fields that status callbacks have for a channel besides those of an SMS. */
function whatsAppFields({ to }: Message, status: MessageStatus): Record<string, string> {
  return {
    ChannelInstallSid: CHANNEL_INSTALL_SID,
    ChannelPrefix: 'whatsapp',
    ChannelToAddress: numberOf(to).replace(MASKED_DIGITS, 'XXXX'),
    ...((status === 'delivered' || status === 'read') && { EventType: status.toUpperCase() }),
  };
}
