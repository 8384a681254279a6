import type { NumberStore } from '../../carriers/numbers/number-store.js';
import { phoneNumber } from '../../carriers/phone-numbers.js';
import { parseCallback } from '../create-request.js';
import { invalidTo, TwilioError } from '../twilio-error.js';
import { CALL_EVENTS, type CallEvent, type NewCall } from './call.js';
import { readTwiml } from './twiml.js';

const TWIML_CHARACTERS_MAX = 4_000;
const TIMEOUT_SECONDS_DEFAULT = 60;
const TIMEOUT_SECONDS_MAX = 600;
const DETECTIONS = ['Enable', 'DetectMessageEnd'] as const;
const METHODS = ['GET', 'POST'] as const;

export type CallRequest = Omit<NewCall, 'fate' | 'ringsForMs' | 'callbackPlan' | 'callbackDelayMs'>;

/** Twilio's magic numbers for calls, from its page on test credentials. */
const failingRecipients: Readonly<Record<string, () => TwilioError>> = {
  '+15005550001': () => new TwilioError(21217, "The phone number '+15005550001' does not appear to be valid"),
  '+15005550002': () => new TwilioError(21214, "'To' phone number cannot be reached: +15005550002"),
  '+15005550003': () => forbiddenCountry('+15005550003'),
  '+15005550004': () => new TwilioError(21216, 'Account not allowed to call +15005550004'),
};

/** The error for a country without permission for calls. */
export function forbiddenCountry(to: string): TwilioError {
  return new TwilioError(
    21215,
    `Account not authorized to call ${to}. Perhaps you need to enable some international permissions`,
  );
}

/** Validates a request to place a call. Throws TwilioError. */
export function parseCallRequest(form: URLSearchParams, numbers: NumberStore): CallRequest {
  const givenTo = form.get('To') ?? '';
  if (givenTo.trim() === '') throw new TwilioError(21201, "No 'To' number is specified");
  const from = parseCaller(form.get('From') ?? '', numbers);
  const twiml = parseTwiml(form);
  const magic = failingRecipients[givenTo]?.();
  if (magic !== undefined) throw magic;
  const to = phoneNumber(givenTo);
  if (to === null) throw invalidTo(givenTo);
  const read = readTwiml(twiml);
  return {
    from,
    to,
    twiml,
    sentences: read.kind === 'read' ? read.sentences : [],
    problem: read.kind === 'read' ? null : read.problem,
    statusCallback: parseCallback(form.get('StatusCallback')),
    statusCallbackMethod: oneOf(form, 'StatusCallbackMethod', METHODS) ?? 'POST',
    statusCallbackEvents: parseEvents(form.getAll('StatusCallbackEvent')),
    timeoutSeconds: parseTimeout(form.get('Timeout') ?? ''),
    machineDetection: oneOf(form, 'MachineDetection', DETECTIONS),
  };
}

/** A caller is a number of the account. Numbers that the sandbox sells belong to their buyers. */
function parseCaller(given: string, numbers: NumberStore): string {
  if (given.trim() === '') throw new TwilioError(21213, "A 'From' phone number is required");
  const from = given === '+15005550001' ? null : phoneNumber(given);
  if (from === null) throw new TwilioError(21212, `Invalid From Number (caller ID): ${given}`);
  if (numbers.mayBeSender('twilio', from)) return from;
  throw new TwilioError(
    21210,
    `The source phone number provided, ${from}, is not yet verified for your account. You may only make calls from ` +
      'phone numbers that you have verified or purchased from Twilio.',
  );
}

function parseTwiml(form: URLSearchParams): string {
  const [url, twiml] = ['Url', 'Twiml'].map((name) => form.get(name) ?? '');
  if (url) throw new TwilioError(21205, 'The sandbox takes instructions in Twiml, not by Url');
  if (!twiml) throw new TwilioError(21205, "Url parameter is required if there is no 'Twiml'");
  if (twiml.length > TWIML_CHARACTERS_MAX)
    throw new TwilioError(20001, `The 'Twiml' parameter exceeds the limit of ${TWIML_CHARACTERS_MAX} characters`);
  return twiml;
}

/** Twilio takes repeated parameters, and several events in one parameter, separated by spaces. */
function parseEvents(given: readonly string[]): CallEvent[] {
  const names = given.flatMap((value) => value.split(' ')).filter((name) => name !== '');
  if (names.length === 0) return ['completed'];
  return names.map((name) => {
    const event = CALL_EVENTS.find((known) => known === name);
    if (event === undefined) throw new TwilioError(21626, `The 'StatusCallbackEvent' ${name} is invalid`);
    return event;
  });
}

function parseTimeout(given: string): number {
  if (given === '') return TIMEOUT_SECONDS_DEFAULT;
  const seconds = Number(given);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= TIMEOUT_SECONDS_MAX) return seconds;
  throw new TwilioError(20001, `'Timeout' must be a whole number from 1 to ${TIMEOUT_SECONDS_MAX}`);
}

function oneOf<Value extends string>(form: URLSearchParams, name: string, values: readonly Value[]): Value | null {
  const given = form.get(name) ?? '';
  if (given === '') return null;
  const found = values.find((value) => value === given);
  if (found === undefined) throw new TwilioError(20001, `'${name}' must be one of: ${values.join(', ')}`);
  return found;
}
