import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { decodePdu, encodePdu, type Pdu, PDU_HEADER_OCTETS, PDU_OCTETS_MAX, type PduFields } from './smpp-pdus.js';

/** Command statuses (SMPP 3.4, section 5.1.3) that are answered here or known to callers. */
export const commandStatus = {
  ok: 0x00,
  invalidLength: 0x02,
  invalidCommand: 0x03,
  notBound: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  queueFull: 0x14,
  throttled: 0x58,
  temporaryError: 0x64,
  unknownError: 0xff,
} as const;

const SEQUENCE_MAX = 0x7fffffff;
/** Maximum of messages of the peer that are being stored; the peer waits with further messages. */
const DELIVERS_MAX = 50;
/** Octets that wait to be sent, beyond which nothing more is read. */
const UNSENT_OCTETS_MAX = 65_536;
/** Requests without an answer in time whose late answer is still accepted. */
const LATE_MAX = 1_000;
/** Timeout for the host to accept the connection. */
const CONNECT_MS = 10_000;

export interface SmppTimings {
  /** Interval between the proofs that the peer is alive. */
  readonly enquireMs: number;
  /** Timeout for the response to a request. */
  readonly responseMs: number;
}

export interface SmppAddress {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** Callbacks of a connection. */
export interface SmppListener {
  /** A message or receipt of the peer; resolves to the status of the answer. */
  readonly deliver: (pdu: Pdu) => Promise<number>;
  /** The connection has ended; no other callback follows. */
  readonly ended: (cause: Error) => void;
}

/** The request has certainly not left. */
export class NotSentError extends Error {}

/** The request may have left, and no response came. */
export class NoResponseError extends Error {}

interface OpenRequest {
  readonly resolve: (response: Pdu) => void;
  readonly reject: (error: NoResponseError) => void;
  readonly late: ((response: Pdu) => void) | undefined;
  readonly timer: NodeJS.Timeout;
}

/**
 * One connection to a peer: frames, requests with their responses, and proofs of life. Memory that
 * the peer can occupy is bounded, and input that is not SMPP ends the connection.
 */
export class SmppConnection {
  private readonly requests = new Map<number, OpenRequest>();
  private readonly late = new Map<number, (response: Pdu) => void>();
  private unread: Buffer = Buffer.alloc(0);
  private delivers = 0;
  private ended = false;
  private isHeldBack = false;
  private enquiry: NodeJS.Timeout | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly timings: SmppTimings,
    private readonly listener: SmppListener,
    private sequence: number,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (octets: Buffer) => this.read(octets));
    socket.on('drain', () => this.readOn());
    socket.on('error', (error) => this.end(error));
    socket.on('close', () => this.end(new Error('The peer closed the connection')));
    this.enquireLater();
  }

  /**
   * Connects. Throws when the peer does not take the connection. `sequence` is the number that the
   * first request follows.
   */
  static async open(
    { host, port, isTls }: SmppAddress,
    timings: SmppTimings,
    listener: SmppListener,
    sequence = 0,
  ): Promise<SmppConnection> {
    const socket = isTls ? connectTls({ host, port }) : connectTcp({ host, port });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(new Error('The peer took no connection in time')), CONNECT_MS);
      socket.once('error', reject);
      socket.once('close', () => clearTimeout(timer));
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        socket.removeListener('error', reject);
        resolve();
      });
    });
    return new SmppConnection(socket, timings, listener, sequence);
  }

  /**
   * Sends a request and returns its response. `late` receives a response that comes after the
   * timeout. Throws {@link NotSentError} or {@link NoResponseError}.
   */
  request(command: string, fields: PduFields = {}, late?: (response: Pdu) => void): Promise<Pdu> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(new NotSentError('The connection has ended'));
      const sequence = this.nextSequence();
      const octets = encodePdu(command, sequence, fields);
      const timer = setTimeout(() => this.miss(sequence), this.timings.responseMs);
      this.requests.set(sequence, { resolve, reject, late, timer });
      this.write(octets);
    });
  }

  get isEnded(): boolean {
    return this.ended;
  }

  /** Unbinds and ends the connection, also without an answer within the timeout. */
  async close(): Promise<void> {
    await this.request('unbind').catch(() => undefined);
    this.end(new Error('We closed the connection'));
  }

  /** Ends the connection at once. Requests without a response may have left. */
  end(cause: Error): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.enquiry);
    this.socket.destroy();
    for (const { reject, timer } of this.requests.values()) {
      clearTimeout(timer);
      reject(new NoResponseError('The connection ended before the response', { cause }));
    }
    this.requests.clear();
    this.late.clear();
    this.listener.ended(cause);
  }

  /**
   * Counts from 1 to 2^31 - 1 and round again, and skips numbers that still wait for a response.
   */
  private nextSequence(): number {
    do this.sequence = this.sequence >= SEQUENCE_MAX ? 1 : this.sequence + 1;
    while (this.requests.has(this.sequence) || this.late.has(this.sequence));
    return this.sequence;
  }

  private miss(sequence: number): void {
    const request = this.requests.get(sequence);
    this.requests.delete(sequence);
    if (request?.late) {
      const [oldest] = this.late.keys();
      if (oldest !== undefined && this.late.size >= LATE_MAX) this.late.delete(oldest);
      this.late.set(sequence, request.late);
    }
    request?.reject(new NoResponseError('The peer gave no response in time'));
  }

  private enquireLater(): void {
    this.enquiry = setTimeout(() => {
      this.request('enquire_link').then(
        () => !this.ended && this.enquireLater(),
        (error: Error) => this.end(error),
      );
    }, this.timings.enquireMs);
  }

  private read(octets: Buffer): void {
    this.unread = this.unread.length === 0 ? octets : Buffer.concat([this.unread, octets]);
    this.takePdus();
  }

  /** Stops between two PDUs while too much is under way. */
  private takePdus(): void {
    let start = 0;
    while (!this.ended && !this.isBusy() && this.unread.length - start >= 4) {
      const length = this.unread.readUInt32BE(start);
      if (length < PDU_HEADER_OCTETS || length > PDU_OCTETS_MAX)
        return this.end(new Error(`The peer sent a PDU of ${length} octets`));
      if (this.unread.length - start < length) break;
      this.take(this.unread.subarray(start, start + length));
      start += length;
    }
    this.unread = this.unread.subarray(start);
    if (this.isBusy()) this.socket.pause();
  }

  private isBusy(): boolean {
    return this.delivers >= DELIVERS_MAX || this.socket.writableLength > UNSENT_OCTETS_MAX;
  }

  private readOn(): void {
    if (this.ended || this.isBusy()) return;
    this.takePdus();
    if (!this.isBusy()) this.socket.resume();
  }

  private take(octets: Buffer): void {
    const pdu = decodePdu(octets);
    if (pdu?.isResponse) return this.settle(pdu);
    // The header of a PDU is readable even if its body is not.
    const sequence = octets.readUInt32BE(12);
    if (pdu === undefined) return this.answer('generic_nack', sequence, commandStatus.invalidLength);
    switch (pdu.command) {
      case 'deliver_sm':
      case 'data_sm':
        return this.deliver(pdu);
      case 'enquire_link':
        return this.answer('enquire_link_resp', sequence);
      case 'unbind':
        this.answer('unbind_resp', sequence);
        this.flush();
        return this.end(new Error('The peer ended the bind'));
      case 'alert_notification':
      case 'outbind':
        return undefined;
      default:
        return this.answer('generic_nack', sequence, commandStatus.invalidCommand);
    }
  }

  private settle(pdu: Pdu): void {
    const request = this.requests.get(pdu.sequence);
    this.requests.delete(pdu.sequence);
    if (request) {
      clearTimeout(request.timer);
      return request.resolve(pdu);
    }
    const late = this.late.get(pdu.sequence);
    this.late.delete(pdu.sequence);
    late?.(pdu);
  }

  /** Answers once the message is stored, so a crash loses no message. */
  private deliver(pdu: Pdu): void {
    this.delivers += 1;
    void this.listener
      .deliver(pdu)
      .catch(() => commandStatus.temporaryError)
      .then((status) => {
        this.delivers -= 1;
        this.answer(`${pdu.command}_resp`, pdu.sequence, status);
        this.readOn();
      });
  }

  private answer(command: string, sequence: number, status: number = commandStatus.ok): void {
    if (!this.ended) this.write(encodePdu(command, sequence, {}, status));
  }

  /** Writes of one turn of the event loop leave together, because a system call is expensive. */
  private write(octets: Buffer): void {
    if (!this.isHeldBack) {
      this.isHeldBack = true;
      this.socket.cork();
      setImmediate(() => this.flush());
    }
    this.socket.write(octets);
  }

  private flush(): void {
    if (!this.isHeldBack) return;
    this.isHeldBack = false;
    this.socket.uncork();
  }
}
