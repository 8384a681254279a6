import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testVariables } from '../../testing/test-config.js';
import { EnvironmentError, parseProgramEnv } from './env.js';
import { secretVariables } from './env-schema.js';
import { withSecretFiles } from './secret-files.js';

const local: Record<string, string> = { ...testVariables, PUBLIC_URL: 'http://localhost:3000' };

const NOT_ROOT = 65_534;

function faultOf(variables: Record<string, string>): string {
  try {
    parseProgramEnv(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
    throw error;
  }
  throw new Error('The environment has no fault');
}

describe('a secret in a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileWith = (text: string, name = 'secret') => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  it('exists for the database, the keys and every vendor', () => {
    expect(secretVariables).toEqual(
      expect.arrayContaining([
        'DATABASE_URL',
        'REDIS_URL',
        'API_KEY_HASH_SECRET',
        'API_KEY_ENCRYPTION_KEY',
        'API_KEY_ENCRYPTION_KEYS_OLD',
        'GOOGLE_CLIENT_SECRET',
        'TWILIO_AUTH_TOKEN',
        'STRIPE_SECRET_KEY',
        'STRIPE_WEBHOOK_SECRET',
        'SMTP_URL',
        'METRICS_TOKEN',
        'QUEUE_BOARD_PASSWORD',
      ]),
    );
  });

  it.each(secretVariables)('gives %s its value, without the line break at its end', (name) => {
    for (const end of ['', '\n', '\r\n', '\n\n'])
      expect(withSecretFiles({ [`${name}_FILE`]: fileWith(` value \n2${end}`) })).toEqual({
        values: expect.objectContaining({ [name]: ' value \n2' }),
        faults: [],
      });
  });

  it('serves a program in place of the variable, which may be there and empty', () => {
    const { TWILIO_AUTH_TOKEN: token = '', ...others } = local;
    const TWILIO_AUTH_TOKEN_FILE = fileWith(`${token}\n`);
    expect(parseProgramEnv({ ...others, TWILIO_AUTH_TOKEN: '', TWILIO_AUTH_TOKEN_FILE })).toEqual(
      parseProgramEnv(local),
    );
    expect(parseProgramEnv({ ...local, TWILIO_AUTH_TOKEN_FILE: '' })).toEqual(parseProgramEnv(local));
  });

  it('is refused beside the variable itself', () => {
    const fault = faultOf({ ...local, TWILIO_AUTH_TOKEN_FILE: fileWith('other') });
    expect(fault).toContain('. TWILIO_AUTH_TOKEN and TWILIO_AUTH_TOKEN_FILE are both set: remove one of them. ');
  });

  it.each([
    ['is missing', () => join(folder, 'none'), 'which does not exist: create it'],
    ['is below a file', () => join(fileWith('x'), 'none'), 'which does not exist: create it'],
    ['is a folder', () => folder, 'which is not a file'],
    ['is empty', () => fileWith('\n', 'empty'), 'which is empty: write the value into it'],
    ['is huge', () => fileWith('x'.repeat(65_537), 'huge'), 'which is larger than 65536 bytes'],
  ])('is refused when it %s, by one sentence with the variable and the fix', (_what, path, fix) => {
    const { TWILIO_AUTH_TOKEN: _token, ...others } = local;
    const fault = faultOf({ ...others, TWILIO_AUTH_TOKEN_FILE: path() });
    expect(fault).toContain(`TWILIO_AUTH_TOKEN_FILE names ${path()}, ${fix}`);
    expect(fault).not.toContain('TWILIO_AUTH_TOKEN is not set');
  });

  it('is refused when it cannot be read', () => {
    const path = fileWith('x', 'closed');
    chmodSync(path, 0o000);
    const isRoot = process.getuid?.() === 0;
    // Root reads everything, so the process is another user for a moment.
    if (isRoot) process.seteuid?.(NOT_ROOT);
    try {
      const [fault] = withSecretFiles({ METRICS_TOKEN_FILE: path }).faults;
      expect(fault?.sentence).toContain(`${path}, which this process may not read: let its user read it`);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('has to be a sound value', () => {
    const { API_KEY_HASH_SECRET: _secret, ...others } = local;
    const fault = faultOf({ ...others, API_KEY_HASH_SECRET_FILE: fileWith('too short\n') });
    expect(fault).toContain('API_KEY_HASH_SECRET must be 32 bytes in base64');
    expect(fault).not.toContain('too short');
  });

  it('does not exist for what is no secret', () => {
    const fault = faultOf({ ...local, TWILIO_ACCOUNT_SID_FILE: fileWith('x') });
    expect(fault).toContain('TWILIO_ACCOUNT_SID_FILE is no setting: only secrets are read from files');
  });
});
