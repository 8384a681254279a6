import type { SmppBindConfig } from '../../platform/config/smpp-binds.js';
import {
  Carrier,
  type CarrierCapabilities,
  type CarrierMessage,
  type HandOverNotes,
  type SendOutcome,
} from '../../carriers/carrier.js';
import type { SmppBind } from './smpp-bind.js';

/**
 * A peer that speaks SMPP 3.4 as a carrier. One worker at a time has its bind (hold-binds.ts). SMPP
 * has no look-up: a message that was submitted without a response waits for its receipt.
 */
export class SmppCarrier extends Carrier {
  private handOverNotes: HandOverNotes | undefined;
  override readonly isExclusive = true;
  private bind: SmppBind | undefined;

  constructor(readonly settings: SmppBindConfig) {
    super();
  }

  get name(): string {
    return this.settings.name;
  }

  get number(): number {
    return this.settings.number;
  }

  get capabilities(): CarrierCapabilities {
    return { records: undefined, handOverNotes: this.handOverNotes, inbox: undefined };
  }

  override get isHere(): boolean {
    return this.bind?.isBound === true;
  }

  /** Sets the store for the hand-overs of all workers. */
  note(handOverNotes: HandOverNotes): void {
    this.handOverNotes = handOverNotes;
  }

  /** Sets the bind by which messages leave from now on; undefined for no bind. */
  use(bind: SmppBind | undefined): void {
    this.bind = bind;
  }

  async check(): Promise<void> {
    if (!this.bind) throw notHere();
    await this.bind.check();
  }

  async send(message: CarrierMessage): Promise<SendOutcome> {
    return this.bind ? this.bind.submit(message) : { kind: 'unavailable', cause: notHere() };
  }

  /** The worker that holds the bind closes it, and gives back its lease then. */
  async close(): Promise<void> {
    this.use(undefined);
  }
}

function notHere(): Error {
  return new Error('This worker does not hold the bind');
}
