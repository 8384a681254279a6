#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { PennytextError } from '../errors.js';
import { bulk } from './bulk.js';
import { clientOf, commonOptions, parse, type Command } from './command.js';
import { completionOf } from './completion.js';
import { eventCommands } from './events.js';
import { loginCommands } from './login.js';
import { messageCommands } from './messages.js';
import { otp } from './otp.js';
import { Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';

const exitCodes = { refused: 1, usage: 2, connection: 3, interrupted: 130 } as const;

const mcp: Command = {
  usage: 'mcp',
  about: 'Serve the tools send, quote, status and balance to AI assistants (Model Context Protocol).',
  details: `It talks over standard input and output; add "pennytext mcp" to the servers of your assistant. The key needs a budget
(credits per day or month) and the scopes "send" and "read", so that an assistant cannot spend more. Test keys work too.`,
  async run(context) {
    // Of use for this command alone, and larger than all others together.
    const { serveMcp } = await import('./mcp.js');
    await serveMcp(context, version());
  },
};

const commands: Readonly<Record<string, Command>> = {
  ...loginCommands,
  ...messageCommands,
  bulk,
  otp,
  ...eventCommands,
  mcp,
  completion: completionOf(() => commands),
};

process.exitCode = await main(process.argv.slice(2));

async function main([name = '--help', ...argv]: readonly string[]): Promise<number> {
  const terminal = new Terminal(process, argv.includes('--json'));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // The reader of a pipe may leave early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  try {
    if (name === '--version') return print(version());
    if (name === '--help' || name === '-h' || name === 'help') return print(overview());
    const command = commands[name];
    if (!command) throw new UsageError(`There is no command "${name}". See pennytext --help.`);
    const { args, values } = parse(command, argv);
    if (values.flag('help')) return print(helpOf(command));
    const { env } = process;
    return (await command.run({ terminal, env, signal: stop.signal, client: () => clientOf(env) }, args, values)) ?? 0;
  } catch (error) {
    if (stop.signal.aborted) return exitCodes.interrupted;
    return report(error, terminal);
  }
}

function report(error: unknown, terminal: Terminal): number {
  if (error instanceof UsageError) {
    terminal.note(error.message);
    return exitCodes.usage;
  }
  if (!(error instanceof PennytextError)) throw error;
  terminal.note(`${error.code}: ${error.detail}${error.requestId ? ` (request ${error.requestId})` : ''}`);
  return error.status === undefined ? exitCodes.connection : exitCodes.refused;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function version(): string {
  const { version: found } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return found;
}

function overview(): string {
  const rows = Object.values(commands).map(({ usage, about }) => `  ${usage.padEnd(20)} ${about}`);
  return `pennytext: send SMS from the command line

${rows.join('\n')}

"pennytext COMMAND --help" shows the options of a command; --json prints JSON.
Results go to standard output, all else to standard error.

Variables: PENNYTEXT_URL, PENNYTEXT_API_KEY (in place of "pennytext login")
Exit codes: 0 done, 1 refused by the service, 2 wrong usage, 3 no connection, 130 interrupted`;
}

function helpOf({ usage, about, details, options = {} }: Command): string {
  const all = Object.entries({ ...options, ...commonOptions });
  const rows = all.map(([name, { value, about: note }]) => `  --${name}${value ? ` ${value}` : ''}`.padEnd(28) + note);
  return [`Usage: pennytext ${usage} [options]`, about, ...(details ? [details] : []), rows.join('\n')].join('\n\n');
}
