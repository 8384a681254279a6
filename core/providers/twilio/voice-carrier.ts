import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import type { CallInstance } from 'twilio/lib/rest/api/v2010/account/call.js';
import { carrierNumbers } from '#contract/carrier-codes.js';
import { statusCallbackUrl } from '../../carriers/status-callback-url.js';
import {
  Carrier,
  type CarrierCapabilities,
  type CarrierMessage,
  type CarrierRecord,
  type CarrierRecords,
  type SendOutcome,
} from '../../carriers/carrier.js';
import type { Config } from '../../platform/config/config.js';
import { spokenParts } from '../../rules/spoken-codes.js';
import { TwilioClient } from './twilio-client.js';
import { outcomeOfError, unlessNotFound } from './twilio-mapping.js';
import { callStatusOf } from './twilio-calls.js';

/** Twilio lets a telephone ring for this many seconds. */
const RING_SECONDS = 30;
const PAGE_SIZE = 50;
const CALL_SID = /^CA[0-9a-f]{32}$/;
const PREFIX = /^voice:/;

/**
 * Calls as the carrier of one-time passwords, through Twilio Programmable Voice
 * (https://www.twilio.com/docs/voice/api/call-resource): the text of a message is spoken. A call that a machine has
 * answered did not reach the person.
 */
export class VoiceCarrier extends Carrier implements CarrierRecords {
  readonly name = 'voice';
  readonly number = carrierNumbers.voice;
  readonly capabilities: CarrierCapabilities = { records: this, inbox: undefined };
  readonly completeAfterMs = 0;
  private readonly connection: TwilioClient;
  private readonly client: TwilioClient['account'];
  private readonly publicUrl: string;

  constructor(config: Config) {
    super();
    this.connection = new TwilioClient(config);
    this.client = this.connection.account;
    this.publicUrl = config.http.publicUrl;
  }

  async check(): Promise<void> {
    await this.client.calls.page({ pageSize: 1 });
  }

  async send(carried: CarrierMessage): Promise<SendOutcome> {
    const { recipient, sender, body } = carried;
    const spoken = new VoiceResponse();
    const { language, words } = spokenParts(body);
    spoken.say({ language }, words);
    try {
      const call = await this.client.calls.create({
        to: recipient.replace(PREFIX, ''),
        from: sender.replace(PREFIX, ''),
        twiml: spoken.toString(),
        timeout: RING_SECONDS,
        machineDetection: 'Enable',
        statusCallback: statusCallbackUrl(this.publicUrl, this.name, carried),
        statusCallbackEvent: ['completed'],
      });
      if (!CALL_SID.test(call.sid)) return { kind: 'unknown', cause: new Error('The response names no call') };
      return { kind: 'accepted', carrierId: call.sid };
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  async find(carrierId: string): Promise<CarrierRecord | undefined> {
    const found = await unlessNotFound(this.client.calls(carrierId).fetch());
    return found && recordOf(found);
  }

  /** Twilio lists newest first; a number is called at most twice an hour, so one page has all calls. */
  async listTo(recipient: string, since: Date): Promise<CarrierRecord[]> {
    const to = recipient.replace(PREFIX, '');
    const { instances } = await this.client.calls.page({ to, pageSize: PAGE_SIZE });
    return instances
      .filter(({ dateCreated, direction }) => dateCreated >= since && direction !== 'inbound')
      .map(recordOf)
      .reverse();
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}

function recordOf({ sid, from, dateCreated, status, answeredBy }: CallInstance): CarrierRecord {
  return {
    carrierId: sid,
    sender: `voice:${from}`,
    chosenNumber: null,
    body: null,
    isTextless: true,
    createdAt: dateCreated,
    status: callStatusOf(status, answeredBy).status,
    carrierError: null,
  };
}
