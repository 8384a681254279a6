/** The used parts of the package `smpp`, which has no types of its own. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server as NetServer, Socket } from 'node:net';

  export type Value = string | number | Buffer;

  /** Encoding of a value; numbers have a fixed size. */
  export interface WireType {
    readonly default: Value;
    size(value: Value): number;
    /** Throws where the octets end before a number does. */
    read(octets: Buffer, at: number): Value;
    write(value: Value, octets: Buffer, at: number): void;
  }

  interface Param {
    readonly type: WireType;
    readonly default?: Value;
  }

  interface Definition {
    readonly id: number;
    readonly type: WireType;
    readonly filter?: unknown;
    readonly multiple?: boolean;
  }
  type Fields = Readonly<Record<string, unknown>>;

  export class PDU {
    static maxLength: number;
    /** Reads the octets of a PDU, or makes a PDU. Throws for octets that are not a PDU. */
    constructor(command: string | Buffer, fields?: Fields);
    readonly command: string;
    readonly command_id: number;
    readonly command_status: number;
    readonly sequence_number: number;
    readonly [field: string]: unknown;
    isResponse(): boolean;
    response(fields?: Fields): PDU;
    toBuffer(): Buffer;
  }

  export class Session extends EventEmitter {
    readonly socket: Socket;
    /** Returns false when the connection is closed. */
    send(pdu: PDU, answered?: (response: PDU) => void): boolean;
    close(): void;
    destroy(): void;
  }

  export class Server extends NetServer {
    readonly sessions: readonly Session[];
  }

  interface Smpp {
    readonly PDU: typeof PDU;
    readonly commands: Readonly<Record<string, { readonly id: number; readonly params?: Record<string, Param> }>>;
    readonly tlvs: Readonly<Record<string, Definition>>;
    addCommand(name: string, definition: object): void;
    addTLV(name: string, definition: object): void;
    readonly encodings: Readonly<
      Record<
        'ASCII' | 'UCS2',
        { match(text: string): boolean; encode(text: string): Buffer; decode(octets: Buffer): string }
      >
    >;
    connect(to: { readonly host: string; readonly port: number }): Session;
    createServer(listener: (session: Session) => void): Server;
  }
  const smpp: Smpp;
  export default smpp;
}
