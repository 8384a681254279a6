import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { webhookBody } from '../webhook-events.js';
import { signatureHeaders } from './webhook-client.js';

const folder = `${__dirname}/../../../docs/samples/webhooks`;

const samples = [
  { file: 'verify.mjs', command: ['node'] },
  { file: 'verify.py', command: ['python3'] },
  { file: 'verify.php', command: ['php'] },
  { file: 'verify.rb', command: ['ruby'] },
  { file: 'verify.go', command: ['go', 'run'] },
  { file: 'Verify.java', command: ['java'] },
  { file: 'Verify.cs', command: ['dotnet', 'run'] },
];
const interpreters = ['node', 'python3', 'php', 'ruby'];
const TIMEOUT_MS = 60_000;
const isHere = ([program = '']: string[]) => spawnSync('which', [program]).status === 0;
const runnable = samples.filter(({ command }) => isHere(command));

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const body = webhookBody('message.received', { MessageId: 'SM1', Message: 'Grüße 👍 שלום "\u2028"' }, new Date());
const webhookId = 'msg_0193aaaabbbb7ccc8ddd000000000000';

function signed(secrets: string[] = [secret], at: Date = new Date()) {
  const headers = signatureHeaders({ webhookId, body, at, secrets });
  return [headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature']] as [
    string,
    string,
    string,
  ];
}

function verdict(
  { file, command }: (typeof samples)[number],
  [id, timestamp, signatures]: readonly [string, string, string],
  text = body,
): number | null {
  const [program = '', ...args] = command;
  return spawnSync(program, [...args, `${folder}/${file}`, id, timestamp, signatures, secret], { input: text }).status;
}

describe('verification samples', () => {
  it('exist for every language, and the index links each of them', () => {
    expect(readdirSync(folder).toSorted()).toEqual(samples.map(({ file }) => file).toSorted());
    const index = readFileSync(`${folder}/../../README.md`, 'utf8');
    for (const { file } of samples) expect(index).toContain(`samples/webhooks/${file}`);
  });

  it('include a runnable one: Node', () => {
    expect(runnable.map(({ file }) => file)).toContain('verify.mjs');
  });

  describe.each(runnable)('$file', (sample) => {
    it(
      'accepts a signed body and rejects a changed one',
      () => {
        expect(verdict(sample, signed())).toBe(0);
        expect(verdict(sample, signed(), body.replace('SM1', 'SM2'))).toBe(1);
      },
      TIMEOUT_MS,
    );
  });

  // Compiled languages take seconds per run, so they run the first test only.
  describe.each(runnable.filter(({ command }) => interpreters.includes(command[0] ?? '')))('$file', (sample) => {
    it(
      'accepts either signature while a secret is being rotated',
      () => expect(verdict(sample, signed([newSecret(), secret]))).toBe(0),
      TIMEOUT_MS,
    );

    it(
      'rejects a changed id, time or secret, a timestamp too old or too new, and an invalid signature',
      () => {
        const [id, timestamp, signatures] = signed();
        expect(verdict(sample, [`${id}0`, timestamp, signatures])).toBe(1);
        expect(verdict(sample, [id, String(Number(timestamp) - 1), signatures])).toBe(1);
        expect(verdict(sample, signed([newSecret()]))).toBe(1);
        expect(verdict(sample, signed([secret], new Date(Date.now() - 600_000)))).toBe(1);
        expect(verdict(sample, signed([secret], new Date(Date.now() + 600_000)))).toBe(1);
        expect(verdict(sample, [id, 'soon', signatures])).toBe(1);
        expect(verdict(sample, [id, timestamp, signatures.replace('v1,', 'v2,')])).toBe(1);
        expect(verdict(sample, [id, timestamp, 'v1,'])).toBe(1);
      },
      TIMEOUT_MS,
    );
  });
});
