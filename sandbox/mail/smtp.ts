import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Fault } from '../control/faults.js';

const MESSAGE_BYTES_MAX = 10_485_760;
const RECIPIENTS_MAX = 100;
const CONNECTIONS_MAX = 100;

interface SmtpOptions {
  /** Returns the fault for the mail that begins. */
  readonly takeFault: () => Fault;
  /** Returns the fault for a mail to a recipient with a fault of its own. */
  readonly takeFaultOf: (recipient: string) => Fault;
  readonly deliver: (from: string, to: readonly string[], source: Uint8Array) => Promise<void>;
}

/** Accepts mail for every recipient over SMTP, without TLS and with any credentials. */
export class Smtp {
  private readonly server: SMTPServer;
  /** Sockets by remote port, the only value that a session and its socket share. */
  private readonly sockets = new Map<number | undefined, Socket>();
  private readonly faults = new WeakMap<SMTPServerSession, Fault>();

  constructor(private readonly options: SmtpOptions) {
    this.server = new SMTPServer({
      name: 'sandbox',
      size: MESSAGE_BYTES_MAX,
      rejectOversized: true,
      maxClients: CONNECTIONS_MAX,
      maxRecipients: RECIPIENTS_MAX,
      authOptional: true,
      authMethods: ['PLAIN', 'LOGIN'],
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      onAuth: ({ username }, _session, done) => done(null, { user: username ?? 'anyone' }),
      onMailFrom: (_address, session, done) => {
        const fault = options.takeFault();
        this.faults.set(session, fault);
        done(fault.mode === 'busy' ? refusal(421, 'Too busy, try again later') : null);
      },
      onRcptTo: ({ address }, session, done) => done(this.recipientRefusal(address, session)),
      onData: (stream, session, done) => void this.answer(stream, session, done),
    });
    this.server.server.on('connection', (socket: Socket) => {
      const { remotePort } = socket;
      this.sockets.set(remotePort, socket);
      socket.on('close', () => this.sockets.delete(remotePort));
    });
    // A broken connection ends only its own session; `listen` reports listening errors.
    this.server.on('error', () => undefined);
  }

  /** Resolves with the port. Throws the system's error when the port cannot be opened. */
  async listen(port: number, host: string): Promise<number> {
    const { server } = this.server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.values()) socket.destroy();
    if (!this.server.server.listening) return;
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  private async answer(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error: Error | null) => void,
  ): Promise<void> {
    const outcome = await this.take(stream, session).catch((error: Error) => error);
    if (outcome !== 'unanswered') done(outcome);
  }

  /**
   * Refuses a recipient by the fault of the mail or of this recipient. A later step of the mail
   * meets the recipient's fault too, unless it refuses the recipient alone.
   */
  private recipientRefusal(recipient: string, session: SMTPServerSession): Error | null {
    const ofMail = this.faults.get(session);
    const refused = refusalBy(ofMail);
    if (refused !== null) return refused;
    const own = this.options.takeFaultOf(recipient);
    const refusedAlone = refusalBy(own);
    if (refusedAlone === null && own.mode !== 'none') this.faults.set(session, own);
    return refusedAlone;
  }

  /** Reads one mail and applies its fault. Null: accepted. */
  private async take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null | 'unanswered'> {
    const source = await buffer(stream);
    const { mode, delayMs } = this.faults.get(session) ?? { mode: 'none', delayMs: 0 };
    if (stream.sizeExceeded) return refusal(552, 'Message too large');
    if (mode === 'reject') return refusal(554, 'Message rejected as spam');
    if (mode === 'timeout') return 'unanswered';
    const { mailFrom, rcptTo } = session.envelope;
    await this.options.deliver(
      mailFrom ? mailFrom.address : '',
      rcptTo.map(({ address }) => address),
      source,
    );
    if (mode === 'delay') await pause(delayMs);
    if (mode !== 'lost-answer') return null;
    this.sockets.get(session.remotePort)?.destroy();
    return 'unanswered';
  }
}

function refusalBy(fault: Fault | undefined): Error | null {
  if (fault?.mode === 'refuse') return refusal(550, 'No such mailbox');
  if (fault?.mode === 'temporary') return refusal(450, 'Mailbox busy, try again later');
  return null;
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
