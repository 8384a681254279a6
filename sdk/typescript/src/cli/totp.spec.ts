import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import {
  createdTotp,
  lockedTotp,
  recoveryCodes,
  totpDeleted,
  totpPage,
  totpShown,
  verifiedTotp,
} from '../../../../contract/examples.js';
import { Pennytext } from '../client.js';
import { parse } from './command.js';
import { Terminal } from './terminal.js';
import { totp } from './totp.js';

const { totp_id: id } = createdTotp;

/** Runs a command against one answer. */
async function run(answer: object, ...argv: string[]) {
  const ran = { printed: '', requests: [] as string[], exitCode: undefined as number | void };
  const stdout = new PassThrough().on('data', (chunk) => (ran.printed += String(chunk)));
  const stdin = new PassThrough();
  const terminal = new Terminal({ stdin, stdout, stderr: new PassThrough() }, argv.includes('--json'));
  const fetch = (address: URL | RequestInfo, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(address instanceof Request ? address.url : address);
    ran.requests.push([method, pathname, ...(typeof body === 'string' ? [body] : [])].join(' '));
    return Promise.resolve(Response.json(answer));
  };
  const client = () => new Pennytext({ apiKey: 'key', baseUrl: 'https://api.example', fetch });
  const { args, values } = parse(totp, argv);
  const { signal } = new AbortController();
  ran.exitCode = await totp.run({ terminal, env: {}, client, signal }, args, values);
  return ran;
}

describe('pennytext totp', () => {
  it('creates an authenticator and prints its secret', async () => {
    const ran = await run(createdTotp, 'create', 'alice@example.com', '--issuer', 'Acme');
    expect(ran.requests).toEqual(['POST /api/totp {"label":"alice@example.com","issuer":"Acme"}']);
    expect(ran.printed).toBe(`${id}  ${createdTotp.secret}\n${createdTotp.otpauth_url}\n`);
  });

  it('saves the QR code for its owner alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pennytext-totp-'));
    try {
      const file = join(folder, 'qr.svg');
      await run(createdTotp, 'create', 'alice', '--svg', file);
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([createdTotp.qr_svg, 0o600]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('ends with 0 for a verified code alone', async () => {
    const ran = await run(verifiedTotp, 'verify', id, '042117');
    expect(ran).toMatchObject({ exitCode: 0, printed: 'verified, 10 attempts left\n' });
    expect(ran.requests).toEqual([`POST /api/totp/${id}/verify {"code":"042117"}`]);
    const locked = await run(lockedTotp, 'verify', id, '042117');
    expect(locked).toMatchObject({ exitCode: 1, printed: `locked, until ${lockedTotp.locked_until}\n` });
  });

  it('makes and prints recovery codes', async () => {
    const ran = await run(recoveryCodes, 'recovery-codes', id);
    expect(ran.requests).toEqual([`POST /api/totp/${id}/recovery-codes {}`]);
    expect(ran.printed.trim().split('\n')).toEqual(recoveryCodes.recovery_codes);
  });

  it('lists, shows and deletes authenticators', async () => {
    const line = `${totpShown.created_at}  ${id}  alice@example.com  verified\n`;
    expect(await run(totpPage, 'list')).toMatchObject({ requests: ['GET /api/totp'], printed: line });
    expect(await run(totpShown, 'show', id)).toMatchObject({ requests: [`GET /api/totp/${id}`], printed: line });
    const deleted = { requests: [`DELETE /api/totp/${id}`], printed: `${id} deleted.\n` };
    expect(await run(totpDeleted, 'delete', id)).toMatchObject(deleted);
  });

  it('refuses another action, and one without its value', async () => {
    await expect(run({}, 'make')).rejects.toThrow('The action is create');
    await expect(run({}, 'verify', id)).rejects.toThrow('An argument is missing.');
  });
});
