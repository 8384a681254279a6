import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CARRIERS, type CarrierName } from '../carriers/message.js';
import { explainFaults, readForms } from '../http.js';
import { html, type Html } from '../pages/html.js';
import type { PageFrame } from '../pages/pages.js';
import { FAULT_MODES, type Fault, type FaultMode, type Faults } from './faults.js';

const names: Readonly<Record<CarrierName, string>> = { twilio: 'Twilio', telnyx: 'Telnyx', smsc: 'SMPP' };
const DELAY_MS = 3_000;

/** What each mode does, in a few words. A mode without words here has them in its name. */
const effects: Readonly<Partial<Record<FaultMode, string>>> = {
  none: 'works',
  delay: `answers after ${DELAY_MS / 1_000} seconds`,
  '429': 'throttles',
  '500': 'fails',
  refuse: 'refuses every number',
  timeout: 'hangs',
  'lost-answer': 'takes the message, and breaks the connection',
  'accepted-then-5xx': 'takes the message, and answers with an error',
  suspended: 'refuses our account',
  'duplicate-callback': 'sends every receipt twice',
  'late-callback': 'sends receipts late',
  'fake-callback': 'sends a false receipt too',
  'no-callback': 'sends no receipts',
  undelivered: 'delivers nothing',
  'queue-full': 'has a full queue',
  unbind: 'ends the bind',
  'already-bound': 'refuses the next bind as already bound',
  'hex-ids': 'writes the ids of receipts in hexadecimal',
};

const choice = z.object({
  service: z.enum(CARRIERS, `must be one of: ${CARRIERS.join(', ')}`),
  mode: z.string(),
});

/** The page `/carriers`, on which a person makes each carrier fail while messages are under way. */
export function carriersRoutes(frame: PageFrame, faults: Faults) {
  return async (app: FastifyInstance): Promise<void> => {
    readForms(app);
    explainFaults(app);

    app.get('/carriers', async (_request, reply) => {
      const current = new Map(faults.list().map((fault) => [fault.service, fault]));
      const main = html`
        <div class="card">
          <h1>Carriers</h1>
          <p class="quiet">
            Choose what a carrier does with the messages that come from now on. The <a href="/phone">phone</a> shows
            which carrier each message came by.
          </p>
          ${CARRIERS.map((carrier) => formOf(carrier, current.get(carrier)?.mode ?? 'none'))}
        </div>
      `;
      return frame.send(reply, { title: 'Carriers', part: 'Carriers', main });
    });

    app.post('/carriers', async (request, reply) => {
      const { service, mode } = choice.parse(Object.fromEntries(request.body as URLSearchParams));
      faults.set(faultOf(service, mode));
      return reply.redirect('/carriers', 303);
    });
  };
}

function faultOf(service: CarrierName, given: string): Fault {
  const modes: readonly FaultMode[] = FAULT_MODES[service];
  const mode = modes.find((known) => known === given);
  if (mode === undefined)
    throw new z.ZodError([{ code: 'custom', path: ['mode'], message: 'is unknown', input: given }]);
  return { service, mode, count: null, delayMs: mode === 'delay' || mode === 'late-callback' ? DELAY_MS : 0 };
}

function formOf(carrier: CarrierName, current: FaultMode): Html {
  return html`<form method="post" class="fields">
    <input type="hidden" name="service" value="${carrier}" />
    <label
      >${names[carrier]}
      <select name="mode">
        ${FAULT_MODES[carrier].map(
          (mode) =>
            html`<option value="${mode}" ${mode === current ? html`selected` : null}>${effects[mode] ?? mode}</option>`,
        )}
      </select>
    </label>
    <div class="actions"><button class="button">Set ${names[carrier]}</button></div>
  </form>`;
}
