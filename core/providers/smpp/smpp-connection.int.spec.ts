import { SmppConnection } from './smpp-connection.js';
import { SmppPeer } from './testing/smpp-peer.js';

const LAST_SEQUENCE = 0x7fffffff;

describe('SmppConnection', () => {
  let peer: SmppPeer;
  let connection: SmppConnection;

  beforeEach(() => (peer = new SmppPeer()));
  afterEach(async () => {
    connection.end(new Error('The test is over'));
    await peer.close();
  });

  async function open(sequence: number, responseMs = 10_000): Promise<void> {
    const address = { host: '127.0.0.1', port: await peer.listen(), isTls: false };
    const listener = { deliver: async () => 0, ended: () => undefined };
    connection = await SmppConnection.open(address, { enquireMs: 60_000, responseMs }, listener, sequence);
  }
  const sequences = () => peer.requests.map(({ pdu }) => pdu.sequence);

  it('begins again after the last sequence number', async () => {
    await open(LAST_SEQUENCE - 1);
    for (let index = 0; index < 3; index++) await connection.request('enquire_link');
    expect(sequences()).toEqual([LAST_SEQUENCE, 1, 2]);
  });

  it('gives no number that is still in use', async () => {
    peer.handlers['submit_sm'] = ({ pdu, answer }) => pdu.sequence > 2 && answer({ message_id: 'x' });
    await open(0);
    const waiting = [connection.request('submit_sm'), connection.request('submit_sm')];
    for (const one of waiting) one.catch(() => undefined);
    Object.assign(connection, { sequence: LAST_SEQUENCE });
    await connection.request('submit_sm');
    expect(sequences()).toEqual([1, 2, 3]);
  });

  it('gives no number whose response may still come', async () => {
    peer.handlers['submit_sm'] = () => undefined;
    await open(0, 300);
    await expect(connection.request('submit_sm', {}, () => undefined)).rejects.toThrow('no response in time');
    Object.assign(connection, { sequence: LAST_SEQUENCE });
    await connection.request('enquire_link');
    expect(sequences()).toEqual([1, 2]);
  });

  it('rejects when the peer takes no connection', async () => {
    await open(0);
    const address = { host: '127.0.0.1', port: 1, isTls: false };
    const listener = { deliver: async () => 0, ended: () => undefined };
    await expect(SmppConnection.open(address, { enquireMs: 1, responseMs: 1 }, listener)).rejects.toThrow(
      'ECONNREFUSED',
    );
  });
});
