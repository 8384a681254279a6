import {
  Carrier,
  type CarrierCapabilities,
  type CarrierFile,
  type CarrierInbox,
  type CarrierMedia,
  type CarrierMessage,
  type CarrierRecord,
  type CarrierRecords,
  type CarrierReply,
  type CarrierStatus,
  type SendOutcome,
} from '../carriers/carrier.js';

/**
 * `lost`: the carrier takes the message, but its response does not arrive. `nothing`: neither the
 * request nor a response arrives. `suspended`: the carrier refuses our account.
 */
type Step =
  | 'accept'
  | 'unavailable'
  | 'lost'
  | 'nothing'
  | 'suspended'
  | { readonly refuse: number | null }
  | ((message: CarrierMessage) => Promise<SendOutcome>);

type Kept = CarrierRecord & { recipient: string; messageId: string };

/** A carrier in memory. Accepts everything, unless the next steps differ. */
export class FakeCarrier extends Carrier implements CarrierRecords, CarrierInbox, CarrierMedia {
  readonly capabilities: CarrierCapabilities;
  override carriesMedia = true;
  /** Every call of `send`, in order. */
  readonly calls: CarrierMessage[] = [];
  /** Messages that the carrier has taken. */
  readonly records: Kept[] = [];
  readonly asked: string[] = [];
  /** Messages of people to our numbers. */
  readonly replies: CarrierReply[] = [];
  /** Files by the id of their message. */
  readonly files = new Map<string, CarrierFile[]>();
  /** Origin of its files, its only host. */
  mediaOrigin = 'https://media.carrier.test';
  /** Files that it was asked to delete. */
  readonly deleted: string[] = [];
  completeAfterMs = 0;
  /** True if its records have our ids, and its lists no texts. */
  hasOurIds = false;
  /** While true, the carrier does not answer queries. */
  deaf = false;
  private steps: Step[] = [];
  private taken = 0;

  /** A carrier without `canBeAsked` has no look-up and no list of replies. */
  constructor(
    readonly name = 'twilio',
    readonly number = 1,
    canBeAsked = true,
  ) {
    super();
    this.capabilities = canBeAsked
      ? { records: this, inbox: this, media: this }
      : { records: undefined, inbox: undefined };
  }

  /** Sets the outcomes of the next calls, in order. */
  next(...steps: Step[]): void {
    this.steps.push(...steps);
  }

  forget(): void {
    this.calls.length = 0;
    this.records.length = 0;
    this.asked.length = 0;
    this.replies.length = 0;
    this.deleted.length = 0;
    this.steps = [];
    this.deaf = false;
    this.completeAfterMs = 0;
    this.hasOurIds = false;
  }

  async close(): Promise<void> {}

  async check(): Promise<void> {
    if (this.deaf) throw new Error('The carrier cannot be asked');
  }

  async send(message: CarrierMessage): Promise<SendOutcome> {
    this.calls.push(message);
    const step = this.steps.shift() ?? 'accept';
    if (typeof step === 'function') return step(message);
    if (typeof step === 'object') return { kind: 'refused', carrierError: step.refuse };
    switch (step) {
      case 'accept':
        return { kind: 'accepted', carrierId: this.take(message).carrierId };
      case 'lost':
        this.take(message);
        return { kind: 'unknown', cause: new Error('no answer') };
      case 'nothing':
        return { kind: 'unknown', cause: new Error('no answer') };
      case 'suspended':
        return { kind: 'suspended', httpStatus: 401, carrierError: 20_003 };
      case 'unavailable':
        return { kind: 'unavailable', cause: new Error('try later') };
    }
  }

  take({ id, recipient, sender, body, mediaUrls = [] }: CarrierMessage, createdAt = new Date()): Kept {
    this.taken += 1;
    const carrierId = `SM${this.taken.toString(16).padStart(32, 'f')}`;
    const record: Kept = {
      carrierId,
      sender,
      chosenNumber: null,
      body,
      files: mediaUrls.length,
      createdAt,
      status: 'sent',
      carrierError: null,
      recipient,
      messageId: id,
    };
    this.records.push(record);
    return record;
  }

  /** Records a message's final state at the carrier, and its cost. */
  end(carrierId: string, status: CarrierStatus, carrierError: number | null = null, costMicrousd?: bigint): void {
    const index = this.records.findIndex((record) => record.carrierId === carrierId);
    const record = this.records[index];
    if (!record) throw new Error('The carrier has no such message');
    this.records[index] = { ...record, status, carrierError, costMicrousd };
  }

  async find(carrierId: string): Promise<CarrierRecord | undefined> {
    this.asked.push(carrierId);
    if (this.deaf) throw new Error('The carrier cannot be asked');
    const found = this.records.find((record) => record.carrierId === carrierId);
    return found && this.shown(found);
  }

  async listTo(recipient: string, since: Date): Promise<CarrierRecord[]> {
    this.asked.push(recipient);
    if (this.deaf) throw new Error('The carrier cannot be asked');
    return this.records
      .filter((record) => record.recipient === recipient && record.createdAt >= since)
      .map((record) => (this.hasOurIds ? { ...this.shown(record), body: null } : this.shown(record)));
  }

  async listReplies(number: string, since: Date): Promise<CarrierReply[]> {
    this.asked.push(number);
    if (this.deaf) throw new Error('The carrier cannot be asked');
    return this.replies.filter((reply) => reply.recipient === number && reply.createdAt >= since);
  }

  async listFiles(carrierId: string): Promise<CarrierFile[]> {
    if (this.deaf) throw new Error('The carrier cannot be asked');
    return this.files.get(carrierId) ?? [];
  }

  headersFor(url: URL): Record<string, string> | undefined {
    return url.origin === this.mediaOrigin ? { authorization: 'Basic dGVzdA==' } : undefined;
  }

  deleteFile = async (url: URL): Promise<void> => {
    if (this.deaf) throw new Error('The carrier cannot be asked');
    this.deleted.push(url.href);
  };

  private shown({ messageId, ...record }: Kept): CarrierRecord {
    return this.hasOurIds ? { ...record, messageId } : record;
  }
}
