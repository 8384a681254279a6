import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { decodePdu, encodePdu, type Pdu, type PduFields } from '../smpp-pdus.js';

/** A request that a peer received; it is answered by `answer`. */
export interface PeerRequest {
  readonly pdu: Pdu;
  readonly session: PeerSession;
  readonly answer: (fields?: PduFields, status?: number) => void;
}

/** One connection to the peer. */
export interface PeerSession {
  readonly socket: Socket;
  readonly send: (command: string, sequence: number, fields?: PduFields) => void;
}

/** A scripted peer on a free port: it does what a test wants, even what no peer should do. */
export class SmppPeer {
  readonly requests: PeerRequest[] = [];
  readonly responses: Pdu[] = [];
  readonly sessions: PeerSession[] = [];
  /**
   * Handlers by command. Without a handler, binds, enquiries and unbinds are answered, and submits
   * get an id.
   */
  handlers: Record<string, (request: PeerRequest) => void> = {};
  private ids = 0;
  private readonly server;

  /** `tls` is its certificate and key, in PEM, for a peer over TLS. */
  constructor(tls?: { readonly cert: string; readonly key: string }) {
    const accept = (socket: Socket) => this.accept(socket);
    this.server = tls ? createTlsServer(tls, accept) : createServer(accept);
  }

  async listen(port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return (this.server.address() as AddressInfo).port;
  }

  get submits(): PeerRequest[] {
    return this.requests.filter(({ pdu }) => pdu.command === 'submit_sm');
  }

  async close(): Promise<void> {
    for (const { socket } of this.sessions) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const session: PeerSession = {
      socket,
      send: (command, sequence, fields = {}) => void socket.write(encodePdu(command, sequence, fields)),
    };
    this.sessions.push(session);
    let unread = Buffer.alloc(0);
    socket.on('data', (octets: Buffer) => {
      unread = Buffer.concat([unread, octets]);
      while (unread.length >= 4 && unread.length >= unread.readUInt32BE(0)) {
        const length = unread.readUInt32BE(0);
        const pdu = decodePdu(unread.subarray(0, length));
        unread = unread.subarray(length);
        if (pdu) this.take(pdu, session);
      }
    });
  }

  private take(pdu: Pdu, session: PeerSession): void {
    if (pdu.isResponse) {
      this.responses.push(pdu);
      return;
    }
    const answer = (fields: PduFields = {}, status = 0) =>
      void session.socket.write(encodePdu(`${pdu.command}_resp`, pdu.sequence, fields, status));
    const request = { pdu, session, answer };
    this.requests.push(request);
    const handler = this.handlers[pdu.command];
    if (handler) handler(request);
    else answer(pdu.command === 'submit_sm' ? { message_id: String((this.ids += 1)) } : {});
  }
}
