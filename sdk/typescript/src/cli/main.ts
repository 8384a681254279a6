#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { PennytextError } from '../errors.js';
import { bulk } from './bulk.js';
import { argument, clientOf, commonOptions, parse, type Command, unknownCommand } from './command.js';
import { completionOf } from './completion.js';
import { eventCommands } from './events.js';
import { loginCommands } from './login.js';
import { media } from './media.js';
import { messageCommands } from './messages.js';
import { numbers, pools } from './numbers.js';
import { otp } from './otp.js';
import { totp } from './totp.js';
import { Terminal, UsageError } from './terminal.js';

const exitCodes = { refused: 1, usage: 2, connection: 3, interrupted: 130 } as const;

const mcp: Command = {
  usage: 'mcp',
  about: 'Serve tools that send, quote and buy numbers to AI assistants (Model Context Protocol).',
  details: `It talks over standard input and output; add "pennytext mcp" to the servers of your
assistant. The key needs a budget (credits per day or month) and the scopes "send" and "read", so
that an assistant spends no more on messages. With the scope "numbers" as well it buys and releases
numbers, within the same budget. Test keys work too.`,
  async run(context) {
    // Only this command uses the module, which is larger than all others together.
    const { serveMcp } = await import('./mcp.js');
    await serveMcp(context, version());
  },
};

const ledger: Command = {
  usage: 'ledger verify FILE',
  about: 'Prove that an exported ledger is complete and unchanged. Needs no connection and no key.',
  details: `FILE is the ledger as the dashboard exports it (JSON Lines, under Billing). Without --keys the
keys in the file are believed: compare the printed one with /.well-known/pennytext-ledger.json
of the service, or give that address.`,
  options: {
    keys: { type: 'string', value: 'SOURCE', about: "File or URL of the service's public keys." },
    earlier: { type: 'string', value: 'FILE', about: 'An earlier export, which this one must continue.' },
  },
  async run({ terminal }, args, values) {
    if (argument(args, 0) !== 'verify') throw new UsageError('Usage: pennytext ledger verify FILE');
    const { verifyLedger } = await import('./ledger.js');
    const options = { keys: values.text('keys'), earlier: values.text('earlier') };
    const result = await verifyLedger(argument(args, 1), options);
    const { entries, seals, unsealed, balance, seal, keys } = result;
    terminal.print(
      result,
      `Unchanged: ${entries.toLocaleString('en-US')} entries under ${seals.toLocaleString('en-US')} ` +
        `seals, balance ${balance.toLocaleString('en-US')}.`,
      ...(unsealed > 0 ? [`The newest ${unsealed.toLocaleString('en-US')} are not sealed yet.`] : []),
      `Newest seal: ${seal}`,
      ...(values.text('keys') === undefined ? [`Signed with: ${keys.join(', ')}`] : []),
    );
  },
};

const commands: Readonly<Record<string, Command>> = {
  ...loginCommands,
  ...messageCommands,
  bulk,
  otp,
  totp,
  media,
  numbers,
  pools,
  ...eventCommands,
  ledger,
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
    if (!command) throw new UsageError(unknownCommand(name, Object.keys(commands)));
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
  if (error instanceof Error && error.name === 'LedgerFault') {
    terminal.note(error.message);
    return exitCodes.refused;
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
