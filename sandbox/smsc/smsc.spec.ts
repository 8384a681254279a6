import smpp, { type PDU } from 'smpp';
import type { FaultMode } from '../control/faults.js';
import { type RunningSandbox, startSandbox } from '../sandbox.js';
import { until } from '../testing/test-sandbox.js';

const PHONE = '14155552671';
const SENDER = '15005550006';

/** A client by the package, and what it received. */
class Client {
  readonly pdus: PDU[] = [];
  isClosed = false;
  private readonly session: ReturnType<typeof smpp.connect>;

  constructor(port: number) {
    this.session = smpp.connect({ host: '127.0.0.1', port });
    this.session.on('pdu', (pdu: PDU) => {
      this.pdus.push(pdu);
      if (!pdu.isResponse()) this.session.send(pdu.response());
    });
    this.session.on('error', () => undefined);
    this.session.on('close', () => (this.isClosed = true));
  }

  send(command: string, fields: object = {}): Promise<PDU> {
    return new Promise((resolve) => void this.session.send(new smpp.PDU(command, { ...fields }), resolve));
  }

  submit(text: string | Buffer, fields: object = {}): Promise<PDU> {
    return this.send('submit_sm', {
      source_addr: SENDER,
      destination_addr: PHONE,
      registered_delivery: 1,
      short_message: Buffer.from(text),
      ...fields,
    });
  }

  received(command: string): PDU[] {
    return this.pdus.filter((pdu) => pdu.command === command);
  }

  texts(): string[] {
    return this.received('deliver_sm').map(({ short_message }) => String(short_message));
  }

  close(): void {
    this.session.destroy();
  }
}

/** Equals the bound in smsc-server.ts. */
const UNBOUND_MAX = 100;

describe('Smsc', () => {
  let sandbox: RunningSandbox;
  let client: Client;

  beforeEach(async () => {
    sandbox = await startSandbox({ port: 0, smtpPort: 0, smppPort: 0, receiptDelayMs: 40 });
    client = await bound();
  });
  afterEach(async () => {
    client.close();
    await sandbox.close();
  });

  const connect = () => new Client(sandbox.smppPort ?? 0);
  const bind = (one: Client, password = 'sandbox') => one.send('bind_transceiver', { system_id: 'sandbox', password });
  async function bound(): Promise<Client> {
    const one = connect();
    expect((await bind(one)).command_status).toBe(0);
    return one;
  }
  const post = (path: string, body: object) =>
    fetch(sandbox.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const fault = (mode: FaultMode, more: object = {}) =>
    post('/_control/faults', { service: 'smsc', mode, count: 1, ...more });
  const messages = async () =>
    (await (await fetch(`${sandbox.url}/_control/messages`)).json()) as {
      sid: string;
      body: string;
      carrier: string;
    }[];

  it('takes a message, shows it among those of the other carriers, and sends its receipt', async () => {
    const { message_id, command_status } = await client.submit('Hello \x1be');
    expect(command_status).toBe(0);
    expect(await messages()).toMatchObject([
      { carrier: 'smsc', sid: message_id, from: `+${SENDER}`, to: `+${PHONE}`, body: 'Hello €' },
    ]);
    await until('the receipt', () => client.received('deliver_sm').length === 1);
    expect(client.received('deliver_sm')[0]).toMatchObject({
      esm_class: 4,
      source_addr: PHONE,
      destination_addr: SENDER,
    });
    expect(client.texts()[0]).toMatch(new RegExp(`^id:${String(message_id)} sub:001 .* stat:DELIVRD err:000 text:$`));
  });

  it('closes the oldest of too many connections that have no bind', async () => {
    const [first, ...others] = Array.from({ length: UNBOUND_MAX + 1 }, () => connect());
    await until('the first is closed', () => first?.isClosed === true);
    expect([client, ...others].filter(({ isClosed }) => isClosed)).toEqual([]);
    expect((await client.submit('Hi')).command_status).toBe(0);
  });

  it('returns user_message_reference in the receipt', async () => {
    await client.submit('Hi', { user_message_reference: 513 });
    await until('the receipt', () => client.received('deliver_sm').length === 1);
    expect(client.received('deliver_sm')[0]?.['user_message_reference']).toBe(513);
  });

  it('stores a long message when its segments are there, and sends a receipt for each', async () => {
    const segment = (number: number, text: string) =>
      client.submit(Buffer.concat([Buffer.from([5, 0, 3, 9, 2, number]), Buffer.from(text, 'utf16le').swap16()]), {
        esm_class: 0x40,
        data_coding: 8,
      });
    const second = await segment(2, 'вет');
    expect(await messages()).toEqual([]);
    const first = await segment(1, 'При');
    expect(await messages()).toMatchObject([{ body: 'Привет' }]);
    await until('both receipts', () => client.texts().length === 2);
    expect(client.texts().join()).toContain(`id:${String(first['message_id'])}`);
    expect(client.texts().join()).toContain(`id:${String(second['message_id'])}`);
  });

  it('takes no files from a phone, which would be lost', async () => {
    await client.submit('Hello');
    const picture = { from: `+${PHONE}`, to: `+${SENDER}`, body: 'Look', media: [{ sample: 'png' }] };
    for (const more of [{}, { carrier: 'smsc' }]) {
      const answer = await post('/_control/inbound', { ...picture, ...more });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ error: "This number's carrier (SMPP) carries texts only." });
    }
    expect((await post('/_control/inbound', { ...picture, carrier: 'telnyx' })).status).toBe(200);
  });

  it('hands over replies, long ones in segments, and tells whether they were taken', async () => {
    const reply = async (body: string) =>
      (await post('/_control/inbound', { from: `+${PHONE}`, to: `+${SENDER}`, body, carrier: 'smsc' })).json();
    expect(await reply('STOP me')).toMatchObject({ status: 200 });
    expect(await reply('я'.repeat(100))).toMatchObject({ status: 200 });
    const delivered = client.received('deliver_sm').map(({ esm_class, data_coding }) => [esm_class, data_coding]);
    expect(delivered).toEqual([
      [0, 0],
      [0x40, 8],
      [0x40, 8],
    ]);
    client.close();
    await until('the end of the bind', () => client.isClosed);
    expect(await reply('Hi')).toMatchObject({ status: 0, error: 'No client is bound' });
  });

  it.each<[FaultMode, number]>([
    ['429', 0x58],
    ['500', 0x08],
    ['refuse', 0x0b],
    ['queue-full', 0x14],
    ['suspended', 0x0e],
  ])('refuses a message under the fault %s', async (mode, status) => {
    await fault(mode);
    expect((await client.submit('Hi')).command_status).toBe(status);
    expect(await messages()).toEqual([]);
  });

  it('takes a message and answers with an error under accepted-then-5xx', async () => {
    await fault('accepted-then-5xx');
    expect((await client.submit('Hi')).command_status).toBe(0x08);
    expect(await messages()).toHaveLength(1);
  });

  it('takes a message and hangs up under lost-answer, and keeps its receipt for the next client', async () => {
    await fault('lost-answer');
    void client.submit('Hi');
    await until('the end', () => client.isClosed);
    expect(await messages()).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    client = await bound();
    await until('the receipt', () => client.texts().length === 1);
  });

  it('does nothing under timeout', async () => {
    await fault('timeout');
    void client.submit('Hi');
    expect((await client.send('enquire_link')).command_status).toBe(0);
    expect([client.received('submit_sm_resp'), await messages()]).toEqual([[], []]);
  });

  it('leaves under unbind, with the message untaken', async () => {
    await fault('unbind');
    void client.submit('Hi');
    await until('the end', () => client.isClosed);
    expect(client.received('unbind')).toHaveLength(1);
    expect(await messages()).toEqual([]);
  });

  it.each<[FaultMode, object, RegExp[]]>([
    ['duplicate-callback', {}, [/DELIVRD/, /DELIVRD/]],
    ['late-callback', { delayMs: 100 }, [/DELIVRD/]],
    ['fake-callback', {}, [/UNDELIV/, /DELIVRD/]],
    ['undelivered', {}, [/stat:UNDELIV err:001/]],
    ['no-callback', {}, []],
  ])('sends receipts under %s as it wants', async (mode, more, expected) => {
    await fault(mode, more);
    await client.submit('Hi');
    await until('the receipts', () => client.texts().length === expected.length);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(client.texts()).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as string));
  });

  it('answers after the receipt under a delay, and in hexadecimal under hex-ids', async () => {
    await fault('delay', { delayMs: 200 });
    await client.submit('Hi');
    expect(client.pdus.map(({ command }) => command).slice(-2)).toEqual(['deliver_sm', 'submit_sm_resp']);
    await fault('hex-ids');
    const { message_id } = await client.submit('Hi');
    await until('the receipt', () => client.texts().length === 2);
    expect(client.texts()[1]).toContain(`id:${Number(message_id).toString(16).toUpperCase()} `);
  });

  it('refuses binds with another password, and as already bound if it shall', async () => {
    expect((await bind(connect(), 'other')).command_status).toBe(0x0e);
    await fault('already-bound');
    expect((await bind(connect())).command_status).toBe(5);
    expect((await bind(connect())).command_status).toBe(0);
  });

  it('refuses messages before a bind', async () => {
    expect((await connect().submit('Hi')).command_status).toBe(4);
  });
});
