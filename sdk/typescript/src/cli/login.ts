import { Pennytext } from '../client.js';
import { PennytextError } from '../errors.js';
import { forgetConnection, readConnection, saveConnection } from './config.js';
import type { Command } from './command.js';
import { UsageError } from './terminal.js';

const login: Command = {
  usage: 'login',
  about: 'Save the address and an API key for the other commands.',
  details: `Asks for the key without showing it, or reads it from standard input. It is saved in your
configuration folder, readable by you alone. The variables PENNYTEXT_URL and PENNYTEXT_API_KEY take
precedence over what is saved.`,
  options: { url: { type: 'string', value: 'URL', about: 'Address of the service, such as https://sms.example.com.' } },
  async run({ terminal, env, signal }, _args, values) {
    const baseUrl = values.text('url') ?? env['PENNYTEXT_URL'] ?? savedUrl(env);
    if (!baseUrl || !URL.canParse(baseUrl)) throw new UsageError('Pass the address: pennytext login --url URL');
    const apiKey = env['PENNYTEXT_API_KEY'] || (await terminal.secret('API key: '));
    if (!apiKey) throw new UsageError('No API key was given; nothing was saved.');
    await check(new Pennytext({ apiKey, baseUrl }), signal);
    const file = saveConnection(env, { apiKey, baseUrl });
    terminal.print({ url: baseUrl, file }, `Saved in ${file}`);
  },
};

const logout: Command = {
  usage: 'logout',
  about: 'Delete what login has saved.',
  run({ terminal, env }) {
    forgetConnection(env);
    terminal.print({}, 'The saved key was deleted.');
    return Promise.resolve();
  },
};

export const loginCommands = { login, logout };

function savedUrl(env: Parameters<typeof readConnection>[0]): string | undefined {
  try {
    return readConnection({ ...env, PENNYTEXT_API_KEY: 'unused' }).baseUrl;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/**
 * Throws when the key or the address is wrong; a key without the right to read the balance is
 * valid.
 */
async function check(client: Pennytext, signal: AbortSignal): Promise<void> {
  try {
    await client.balance({ signal });
  } catch (error) {
    if (!(error instanceof PennytextError && error.code === 'key_scope')) throw error;
  }
}
