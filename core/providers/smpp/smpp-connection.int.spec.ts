import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { eventually } from '../../testing/eventually.js';
import { SmppConnection } from './smpp-connection.js';
import { encodePdu } from './smpp-pdus.js';
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

  it('forgets the oldest request of 1,001 without a response, so that a silent peer fills no memory', async () => {
    peer.handlers['submit_sm'] = () => undefined;
    await open(0, 300);
    const late: number[] = [];
    const asked = Array.from({ length: 1_001 }, () =>
      connection.request('submit_sm', {}, ({ sequence }) => void late.push(sequence)),
    );
    await Promise.allSettled(asked);
    for (const { pdu, answer } of peer.submits) if ([1, 2, 1_001].includes(pdu.sequence)) answer({ message_id: 'x' });
    await eventually('the latest response', async () => late.includes(1_001));
    expect(late).toEqual([2, 1_001]);
  });

  it('reads nothing more from a peer that reads no answers, until it does', async () => {
    const connected = jest.spyOn(net, 'connect');
    await open(0);
    const ours = connected.mock.results[0]?.value as Socket;
    jest.restoreAllMocks();
    const theirs = peer.sessions[0]?.socket;
    const enquiries = Buffer.concat(Array(4_096).fill(encodePdu('enquire_link', 1)));
    theirs?.pause();
    await eventually('the pause', async () => {
      theirs?.write(enquiries);
      return ours.isPaused();
    });
    expect(ours.writableLength).toBeLessThan(2 * 65_536);
    theirs?.resume();
    await eventually('the end of the pause', async () => !ours.isPaused());
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

describe('SmppConnection over TLS', () => {
  let folder: string;
  let peer: SmppPeer;
  let cert: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'smpps-'));
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', 'key.pem', '-out', 'cert.pem'];
    execFileSync('openssl', [...made, ...names], { cwd: folder, stdio: 'ignore' });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    cert = read('cert.pem');
    peer = new SmppPeer({ cert, key: read('key.pem') });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await peer.close();
    rmSync(folder, { recursive: true });
  });

  it('exchanges PDUs with a peer whose certificate is trusted and names it, and with no other', async () => {
    const port = await peer.listen();
    const listener = { deliver: async () => 0, ended: () => undefined };
    const open = (host: string) =>
      SmppConnection.open({ host, port, isTls: true }, { enquireMs: 60_000, responseMs: 5_000 }, listener);
    await expect(open('localhost')).rejects.toThrow('self-signed certificate');
    // NODE_EXTRA_CA_CERTS does this at the start of a process.
    const { connect } = tls;
    jest
      .spyOn(tls, 'connect')
      .mockImplementation(((options: tls.ConnectionOptions) =>
        connect({ ...options, ca: cert })) as typeof tls.connect);
    await expect(open('127.0.0.1')).rejects.toThrow('does not match');
    const connection = await open('localhost');
    expect(await connection.request('enquire_link')).toMatchObject({ command: 'enquire_link_resp', status: 0 });
    expect(peer.requests).toHaveLength(1);
    await connection.close();
  });
});
