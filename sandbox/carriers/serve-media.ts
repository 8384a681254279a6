import type { FastifyReply } from 'fastify';
import { failBefore, type Fault, type FaultErrors, type Faults } from '../control/faults.js';
import type { NewMedia } from './media.js';

/** Bytes that a `wrong-length` answer promises beyond the file. */
const PROMISED_MORE = 100;

/** Answers with the bytes of a file, or as its fault demands. `errors` are the carrier's. */
export function serveMedia(
  reply: FastifyReply,
  media: NewMedia,
  faults: Faults,
  fault: Fault,
  errors: FaultErrors,
): void {
  if (!failBefore(fault, faults, reply, errors)) return;
  const { bytes } = media;
  const type = fault.mode === 'wrong-type' ? 'text/html' : media.type;
  const send = () => {
    if (fault.mode === 'redirect-away') return void reply.redirect('http://169.254.169.254/latest/meta-data/', 307);
    if (fault.mode !== 'wrong-length') return void reply.type(type).send(bytes);
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': type, 'content-length': bytes.length + PROMISED_MORE });
    reply.raw.write(bytes, () => reply.raw.destroy());
  };
  if (fault.mode === 'delay') setTimeout(send, fault.delayMs);
  else send();
}
