import { z } from 'zod';
import { type NewMessage, numberOf, WHATSAPP_PREFIX } from '../../carriers/message.js';
import { type MessageStore, older } from '../../carriers/message-store.js';
import { phoneNumber } from '../../carriers/phone-numbers.js';
import { parseBody, parseCallback, parseService } from '../create-request.js';
import { invalidFrom, invalidTo, TwilioError } from '../twilio-error.js';
import { AUTHENTICATION_TEMPLATE, render } from './templates.js';

const CONTENT_SID = /^HX[0-9a-f]{32}$/i;
/** WhatsApp's customer service window, in which texts need no template. */
const SESSION_MS = 24 * 3_600_000;
/** Number of messages of a chat that are searched for its last reply. */
const SESSION_SEARCH_MAX = 200;

const OUTSIDE_SESSION_CODE = 63016;
const WRONG_PARAMETERS_CODE = 63028;

// Values that are null or empty are errors, by Twilio's page on the error 21656.
const contentVariables = z.record(z.string(), z.string().min(1));

export type WhatsAppRequest = Pick<
  NewMessage,
  'to' | 'from' | 'body' | 'messagingServiceSid' | 'statusCallback' | 'template' | 'fate' | 'failureCode'
>;

interface WhatsAppParts {
  readonly store: MessageStore;
  /** Numbers of the account's senders. */
  readonly whatsAppSenders: readonly string[];
}

/** Whether a create names a WhatsApp chat as sender or recipient. */
export function isForWhatsApp(form: URLSearchParams): boolean {
  return ['To', 'From'].some((name) => form.get(name)?.startsWith(WHATSAPP_PREFIX));
}

/**
 * Validates a request to send a WhatsApp message. A text without a template is accepted and fails
 * later unless the chat has a session. Throws TwilioError.
 */
export function parseWhatsAppRequest(form: URLSearchParams, parts: WhatsAppParts): WhatsAppRequest {
  const givenTo = form.get('To') ?? '';
  if (givenTo.trim() === '') throw new TwilioError(21604, "A 'To' phone number is required.");
  const messagingServiceSid = parseService(form.get('MessagingServiceSid') ?? '');
  const from = parseSender(form.get('From') ?? '', messagingServiceSid, parts.whatsAppSenders);
  if (!givenTo.startsWith(WHATSAPP_PREFIX)) throw otherChannel();
  const number = phoneNumber(numberOf(givenTo));
  if (number === null) throw invalidTo(givenTo);
  const to = WHATSAPP_PREFIX + number;
  const content = parseContent(form, () => hasSession(parts.store, to, from));
  const statusCallback = parseCallback(form.get('StatusCallback'));
  return { to, from, messagingServiceSid, statusCallback, ...content };
}

function parseSender(given: string, service: string | null, senders: readonly string[]): string {
  if (given.trim() === '') {
    const [first] = senders;
    if (service === null) throw new TwilioError(21603, "A 'From' phone number is required.");
    if (first === undefined) throw unknownSender();
    return WHATSAPP_PREFIX + first;
  }
  if (!given.startsWith(WHATSAPP_PREFIX)) throw otherChannel();
  const number = phoneNumber(numberOf(given));
  if (number === null) throw invalidFrom(given);
  if (!senders.includes(number)) throw unknownSender();
  return WHATSAPP_PREFIX + number;
}

function parseContent(
  form: URLSearchParams,
  isInSession: () => boolean,
): Pick<WhatsAppRequest, 'body' | 'template' | 'fate' | 'failureCode'> {
  const sid = form.get('ContentSid') ?? '';
  if (sid === '') {
    const body = parseBody(form.get('Body') ?? '', false);
    return isInSession()
      ? { body, fate: 'delivered' }
      : { body, fate: 'undelivered', failureCode: OUTSIDE_SESSION_CODE };
  }
  if (!CONTENT_SID.test(sid)) throw unknownTemplate();
  const variables = parseVariables(form.get('ContentVariables') ?? '');
  const template = { sid, variables };
  const body = render(AUTHENTICATION_TEMPLATE, variables);
  if (body === null)
    return {
      body: AUTHENTICATION_TEMPLATE.body,
      template,
      fate: 'undelivered',
      failureCode: WRONG_PARAMETERS_CODE,
    };
  return { body, template, fate: 'delivered' };
}

function parseVariables(given: string): Readonly<Record<string, string>> {
  if (given === '') return {};
  const parsed = contentVariables.safeParse(jsonOf(given));
  if (!parsed.success) throw new TwilioError(21656, 'The ContentVariables Parameter is invalid');
  return parsed.data;
}

/** Parses JSON; returns undefined for any other text, which no schema takes. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether the person has written to the sender within the last 24 hours. */
function hasSession(store: MessageStore, to: string, from: string): boolean {
  let searched = 0;
  for (const message of older(store.of(to))) {
    if (searched++ === SESSION_SEARCH_MAX) return false;
    const isReply = message.direction === 'inbound' && message.from === to && message.to === from;
    if (isReply) return Date.now() - message.createdAtMs < SESSION_MS;
  }
  return false;
}

/** The error for a template that the account does not have. */
export function unknownTemplate(): TwilioError {
  return new TwilioError(21655, 'The ContentSid is Invalid');
}

function unknownSender(): TwilioError {
  return new TwilioError(63007, 'Twilio could not find a Channel with the specified From address');
}

function otherChannel(): TwilioError {
  return new TwilioError(21910, "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel");
}
