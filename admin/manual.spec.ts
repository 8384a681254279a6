import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { addCommands } from './commands.js';

const pages = ['README.md', ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : []))];

/** Every admin command in the manual, for npm or for a container. */
const lines = pages.flatMap((page) =>
  [
    ...readFileSync(join(process.cwd(), page), 'utf8').matchAll(
      /(?:npm run -s admin --|admin\/main\.js) ((?:--as \w+ )?[a-z][^`\n]*)/g,
    ),
  ].map(([, line = '']) => ({ page, line: line.replace(/\s+[#<>|].*$/, '').trim() })),
);

describe('the operator’s manual', () => {
  it('contains admin commands', () => {
    expect(lines.length).toBeGreaterThan(30);
    expect(new Set(lines.map(({ page }) => page)).size).toBeGreaterThan(3);
  });

  it.each(lines)('$page: admin $line is a command with valid arguments', async ({ line }) => {
    expect(await commandsOf(line)).toHaveLength(1);
  });

  it.each([
    'account vanish ada@example.com',
    'credits adjust ada@example.com 10',
    'ledger check --hard',
    'code create --credits none',
  ])('rejects %s', async (line) => {
    await expect(commandsOf(line)).rejects.toThrow();
  });
});

/** Returns the names of the commands that a line runs; rejects when commander does. */
async function commandsOf(line: string): Promise<string[]> {
  const ran: string[] = [];
  const program = new Command('admin').exitOverride().configureOutput({ writeErr: () => undefined });
  for (const command of addedTo(program)) command.exitOverride().configureOutput({ writeErr: () => undefined });
  program.hook('preAction', (_program, command) => void ran.push(command.name()));
  await program.parseAsync(['--as', 'ada', ...wordsOf(line)], { from: 'user' });
  return ran;
}

/** Adds the commands, without a container, and returns all of them. */
function addedTo(program: Command): Command[] {
  addCommands(program, async () => undefined);
  const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
  return below(program);
}

/** Splits a line into words like a shell, for the quotes that the manual uses. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
