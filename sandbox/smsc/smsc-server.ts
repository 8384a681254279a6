import type { AddressInfo } from 'node:net';
import smpp, { type PDU, type Session } from 'smpp';

/** Command statuses of SMPP 3.4, section 5.1.3. */
export const statuses = {
  ok: 0x00,
  invalidBindState: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  invalidPassword: 0x0e,
  queueFull: 0x14,
  throttled: 0x58,
} as const;

/** A submit_sm as it arrived. */
export interface Submit {
  readonly from: string;
  readonly to: string;
  readonly esmClass: number;
  readonly dataCoding: number;
  readonly octets: Buffer;
  readonly wantsReceipt: boolean;
  /** user_message_reference; null without one. */
  readonly reference: number | null;
  readonly validityPeriod: string;
  accept(id: string): void;
  refuse(status: number): void;
  /** Ends the connection without an answer. */
  hangUp(): void;
  /** Asks the client to leave, and leaves. */
  unbind(): void;
}

/** A deliver_sm. */
export interface Deliver {
  readonly from: string;
  readonly to: string;
  readonly esmClass: number;
  readonly dataCoding: number;
  readonly octets: Buffer;
  readonly more?: Readonly<Record<string, string | number>>;
}

interface SmscOwner {
  /** Returns the status of the answer to a bind. */
  readonly bind: (systemId: string, password: string) => number;
  readonly submit: (submit: Submit) => void;
  /** A client has bound that receives messages. */
  readonly bound: () => void;
}

// Texts are octets here: the package would decode them with losses.
for (const name of ['submit_sm', 'deliver_sm']) {
  const { id, params = {} } = smpp.commands[name] ?? { id: 0 };
  const plain = Object.entries(params).map(([key, param]) => [key, { ...param, filter: undefined }]);
  smpp.addCommand(name, { id, params: Object.fromEntries(plain) });
}
const payload = smpp.tlvs['message_payload'];
if (payload) smpp.addTLV('message_payload', { ...payload, filter: undefined });

/** Text of octets that are GSM-7, one septet to an octet, or UCS-2. */
export function textOf(octets: Buffer, dataCoding: number): string {
  return smpp.encodings[dataCoding === UCS2 ? 'UCS2' : 'ASCII'].decode(octets);
}

/** Octets of a text and their data_coding. */
export function octetsOf(text: string): { readonly octets: Buffer; readonly dataCoding: number } {
  return smpp.encodings.ASCII.match(text)
    ? { octets: smpp.encodings.ASCII.encode(text), dataCoding: 0 }
    : { octets: smpp.encodings.UCS2.encode(text), dataCoding: UCS2 };
}
const UCS2 = 8;

/** Connections without a bind; the oldest is closed when there are more. */
const UNBOUND_MAX = 100;

/** An SMPP 3.4 server: it knows binds and PDUs, but not messages. */
export class SmscServer {
  private readonly bound = new Set<Session>();
  private readonly sessions = new Set<Session>();
  private readonly server = smpp.createServer((session) => this.accept(session));

  constructor(private readonly owner: SmscOwner) {}

  /** Returns the port. Throws when it cannot be opened. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  get isBound(): boolean {
    return this.bound.size > 0;
  }

  /**
   * Hands a message to the client that bound last. Resolves to the status of the client's answer,
   * to null without a client or an answer.
   */
  deliver({ from, to, esmClass, dataCoding, octets, more = {} }: Deliver): Promise<number | null> {
    const session = [...this.bound].at(-1);
    if (session === undefined) return Promise.resolve(null);
    return new Promise((resolve) => {
      const give = () => resolve(null);
      session.once('close', give);
      const pdu = new smpp.PDU('deliver_sm', {
        source_addr: from,
        source_addr_ton: 1,
        source_addr_npi: 1,
        destination_addr: to,
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        esm_class: esmClass,
        data_coding: dataCoding,
        short_message: octets,
        ...more,
      });
      const isSent = session.send(pdu, ({ command_status }) => {
        session.off('close', give);
        resolve(command_status);
      });
      if (!isSent) give();
    });
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(session: Session): void {
    this.sessions.add(session);
    // Each answer that is waited for has a listener.
    session.setMaxListeners(0);
    const unbound = [...this.sessions].filter((one) => !this.bound.has(one));
    if (unbound.length > UNBOUND_MAX) unbound[0]?.destroy();
    session.on('close', () => {
      this.sessions.delete(session);
      this.bound.delete(session);
    });
    session.on('error', () => session.destroy());
    session.on('pdu', (pdu: PDU) => this.take(session, pdu));
  }

  private take(session: Session, pdu: PDU): void {
    const answer = (status: number, fields: object = {}) =>
      void session.send(pdu.response({ command_status: status, ...fields }));
    switch (pdu.command) {
      case 'bind_transceiver':
      case 'bind_receiver':
      case 'bind_transmitter': {
        const status = this.owner.bind(String(pdu['system_id']), String(pdu['password']));
        answer(status, { system_id: 'sandbox' });
        if (status !== statuses.ok) return session.close();
        this.bound.add(session);
        if (pdu.command !== 'bind_transmitter') this.owner.bound();
        return undefined;
      }
      case 'submit_sm':
        if (!this.bound.has(session)) return answer(statuses.invalidBindState);
        return this.owner.submit(submitOf(session, pdu, answer));
      case 'enquire_link':
        return answer(statuses.ok);
      case 'unbind':
        this.bound.delete(session);
        answer(statuses.ok);
        return session.close();
      default:
        if (!pdu.isResponse()) answer(pdu.command === 'unknown' ? 0x03 : statuses.ok);
        return undefined;
    }
  }
}

function submitOf(session: Session, pdu: PDU, answer: (status: number, fields?: object) => void): Submit {
  const [message, long] = [pdu['short_message'], pdu['message_payload']];
  const octets = Buffer.isBuffer(long) ? long : Buffer.isBuffer(message) ? message : Buffer.alloc(0);
  const reference = pdu['user_message_reference'];
  return {
    from: String(pdu['source_addr']),
    to: String(pdu['destination_addr']),
    esmClass: Number(pdu['esm_class']),
    dataCoding: Number(pdu['data_coding']),
    octets,
    wantsReceipt: (Number(pdu['registered_delivery']) & 1) === 1,
    reference: typeof reference === 'number' ? reference : null,
    validityPeriod: String(pdu['validity_period']),
    accept: (id) => answer(statuses.ok, { message_id: id }),
    refuse: (status) => answer(status),
    hangUp: () => session.destroy(),
    unbind: () => {
      session.send(new smpp.PDU('unbind'));
      session.close();
    },
  };
}
