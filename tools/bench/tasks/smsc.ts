import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';

/**
 * A short message center for measurements (SMPP 3.4): it takes every message, and answers each after a
 * time. Arguments: SMPP port, port of its own answers, milliseconds, whether receipts are sent.
 */
const [port = '', controlPort = '', delayMs = '', areReceipts = ''] = process.argv.slice(2);

const HEADER_OCTETS = 16;
const RESPONSE = 0x80000000;
const [SUBMIT, DELIVER, ENQUIRE, UNBIND] = [0x04, 0x05, 0x15, 0x06];
const BINDS: readonly number[] = [0x01, 0x02, 0x09];
const RECEIPT_AFTER_MS = 50;

/** Arrival times of messages, in ms since 1970. */
const arrivals: number[] = [];
/** Milliseconds from a message to its response. */
const tookMs: number[] = [];
let receipts = 0;
let acknowledged = 0;
let isHolding = false;
/** Answers that wait while messages are held. */
let held: (() => void)[] = [];

createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  let unread: Buffer = Buffer.alloc(0);
  socket.on('data', (octets: Buffer) => {
    unread = unread.length === 0 ? octets : Buffer.concat([unread, octets]);
    let at = 0;
    while (unread.length - at >= HEADER_OCTETS && unread.length - at >= unread.readUInt32BE(at)) {
      const length = unread.readUInt32BE(at);
      take(socket, unread.subarray(at, at + length));
      at += length;
    }
    unread = unread.subarray(at);
  });
}).listen(Number(port), '127.0.0.1');

createHttpServer((request, response) => {
  if (request.url === '/hold') isHolding = true;
  if (request.url === '/release') {
    isHolding = false;
    for (const answer of held) answer();
    held = [];
  }
  if (request.url === '/arrivals') return void response.end(JSON.stringify({ arrivals, tookMs }));
  response.end(JSON.stringify({ submits: arrivals.length, receipts, acknowledged }));
}).listen(Number(controlPort), '127.0.0.1');

function take(socket: Socket, pdu: Buffer): void {
  const [command, sequence] = [pdu.readUInt32BE(4), pdu.readUInt32BE(12)];
  if (command === SUBMIT) return submit(socket, pdu, sequence);
  if (BINDS.includes(command)) return write(socket, command + RESPONSE, sequence, Buffer.from('bench\0'));
  if (command === ENQUIRE || command === UNBIND) return write(socket, command + RESPONSE, sequence);
  if (command === DELIVER + RESPONSE) acknowledged += 1;
}

function submit(socket: Socket, pdu: Buffer, sequence: number): void {
  const startedAtMs = performance.now();
  arrivals.push(Date.now());
  const id = `${arrivals.length}\0`;
  const answer = () =>
    setTimeout(() => {
      tookMs.push(performance.now() - startedAtMs);
      write(socket, SUBMIT + RESPONSE, sequence, Buffer.from(id));
      if (areReceipts === 'receipts') setTimeout(() => deliver(socket, pdu, id.slice(0, -1)), RECEIPT_AFTER_MS);
    }, Number(delayMs));
  if (isHolding) held.push(answer);
  else answer();
}

/** Reports a message as delivered, from its recipient to its sender. */
function deliver(socket: Socket, submitted: Buffer, id: string): void {
  const { sender, recipient } = addressesOf(submitted);
  const text = Buffer.from(
    `id:${id} sub:001 dlvrd:001 submit date:2611270000 done date:2611270000 stat:DELIVRD err:000 text:`,
  );
  const [receipt, none] = [0x04, 0];
  const body = Buffer.concat([
    Buffer.from([none, 1, 1]),
    Buffer.from(`${recipient}\0`),
    Buffer.from([1, 1]),
    Buffer.from(`${sender}\0`),
    // esm_class, protocol, priority, schedule, validity, registered, replace, coding, default message
    Buffer.from([receipt, none, none, none, none, none, none, none, none, text.length]),
    text,
  ]);
  receipts += 1;
  write(socket, DELIVER, receipts, body);
}

/** service_type, then type, plan and digits of each. */
function addressesOf(pdu: Buffer): { readonly sender: string; readonly recipient: string } {
  const serviceEnd = pdu.indexOf(0, HEADER_OCTETS);
  const senderEnd = pdu.indexOf(0, serviceEnd + 3);
  const recipientEnd = pdu.indexOf(0, senderEnd + 3);
  return {
    sender: pdu.toString('latin1', serviceEnd + 3, senderEnd),
    recipient: pdu.toString('latin1', senderEnd + 3, recipientEnd),
  };
}

function write(socket: Socket, command: number, sequence: number, body = Buffer.alloc(0)): void {
  const header = Buffer.alloc(HEADER_OCTETS);
  header.writeUInt32BE(HEADER_OCTETS + body.length, 0);
  header.writeUInt32BE(command, 4);
  header.writeUInt32BE(sequence, 12);
  socket.write(Buffer.concat([header, body]));
}
