import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** Names the messages in what one side of a connection sends; a message may come in several chunks. */
export type Reader = (chunk: Buffer) => string[];

interface Sides {
  /** A reader for each new connection. */
  readonly ofClient?: () => Reader;
  readonly ofServer?: () => Reader;
}

/** A relay on a port of loopback that counts the messages that pass it, by name. */
export class Wire {
  readonly counts = new Map<string, number>();
  /** Time of the last traffic, by `performance.now()`. */
  lastAtMs = performance.now();
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async to(port: number, sides: Sides): Promise<Wire> {
    const server = createServer();
    const wire = new Wire(server);
    server.on('connection', (client) => wire.relay(client, connect(port, '127.0.0.1'), sides));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return wire;
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The relay has no port');
    return address.port;
  }

  /** Counts from 0 again. */
  reset(): void {
    this.counts.clear();
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private relay(client: Socket, server: Socket, { ofClient, ofServer }: Sides): void {
    this.pass(client, server, ofClient?.());
    this.pass(server, client, ofServer?.());
  }

  private pass(from: Socket, to: Socket, read: Reader | undefined): void {
    this.sockets.add(from);
    from.setNoDelay();
    from.on('data', (chunk) => {
      this.lastAtMs = performance.now();
      for (const name of read?.(chunk) ?? []) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      to.write(chunk);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }
}

/** Splits a stream into messages; `sizeOf` returns undefined until the length is there. */
function messages(sizeOf: (bytes: Buffer) => number | undefined): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole: Buffer[] = [];
    for (let size = sizeOf(rest); size !== undefined && rest.length >= size; size = sizeOf(rest)) {
      whole.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    return whole;
  };
}

const UNNAMED_CHARACTERS = 70;
const readable = (text: string) => text.replaceAll(/\s+/g, ' ').trim().slice(0, UNNAMED_CHARACTERS);
const textAt = (bytes: Buffer, start: number) => bytes.toString('utf8', start, bytes.indexOf(0, start));

/**
 * Names the statements that a client of PostgreSQL runs: by the name of the prepared statement, or
 * the start of the text in quotes. `texts` receives the texts of named statements. Source:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function postgresStatements(texts: Map<string, string>): Reader {
  // The first message has no type.
  let typeBytes = 0;
  let unnamed = '';
  const split = messages((bytes) => {
    if (bytes.length < typeBytes + 4) return undefined;
    return typeBytes + bytes.readUInt32BE(typeBytes);
  });
  const nameOf = (message: Buffer): string | undefined => {
    if (typeBytes === 0) {
      typeBytes = 1;
      return undefined;
    }
    const body = 5;
    switch (String.fromCharCode(message[0] ?? 0)) {
      case 'Q':
        return `"${readable(textAt(message, body))}"`;
      case 'P': {
        const name = textAt(message, body);
        const text = textAt(message, body + Buffer.byteLength(name) + 1);
        if (name === '') unnamed = `"${readable(text)}"`;
        else texts.set(name, text);
        return undefined;
      }
      case 'B': {
        const portal = textAt(message, body);
        return textAt(message, body + Buffer.byteLength(portal) + 1) || unnamed;
      }
      default:
        return undefined;
    }
  };
  return (chunk) =>
    split(chunk)
      .map(nameOf)
      .filter((name) => name !== undefined);
}

const pduNames: Readonly<Record<number, string>> = {
  0x4: 'submit_sm',
  0x8000_0004: 'submit_sm_resp',
  0x5: 'deliver_sm',
  0x8000_0005: 'deliver_sm_resp',
};

/** Names the PDUs of messages and receipts. Source: SMPP 3.4, section 5.1.2.1. */
export function smppPdus(): Reader {
  const split = messages((bytes) => (bytes.length < 8 ? undefined : bytes.readUInt32BE(0)));
  return (chunk) => split(chunk).flatMap((pdu) => pduNames[pdu.readUInt32BE(4)] ?? []);
}
