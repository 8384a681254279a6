import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { Accounts } from '#core/accounts/accounts.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { DomainError } from '#core/platform/errors/domain-error.js';

/** Runs a use case in the product's own container and prints its answer as JSON. */
export type Run = (work: (app: INestApplicationContext) => Promise<object>) => Promise<void>;

/**
 * Every command goes into the audit log before it runs, with its arguments, so that nothing is done that is not written
 * down; when it ends with a "no", a second entry says so.
 */
export function audited(program: Command, run: Run): Run {
  let details: Record<string, unknown> = {};
  program.hook('preAction', (_program, command) => {
    details = { command: nameOf(command), arguments: command.args, options: command.opts() };
  });
  return (work) =>
    run(async (app) => {
      const log = app.get(AuditLog, { strict: false });
      const subject = await subjectOf(app, details);
      const accountId = subject?.id ?? null;
      const command = { actor: 'operator', accountId, action: 'operator.command' } as const;
      await log.recordAlone({ ...command, details: subject ? withoutAddress(details, subject) : details });
      try {
        return await work(app);
      } catch (error) {
        const code = error instanceof DomainError ? error.code : 'internal';
        const refusal = { command: details['command'], code };
        await log.recordAlone({ actor: 'operator', accountId, action: 'operator.refused', details: refusal });
        throw error;
      }
    });
}

function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

interface Subject {
  readonly id: string;
  readonly email: string;
}

/** Entries stay for ever, addresses only as long as their account: an entry names an account that is there by its id. */
function withoutAddress(details: Record<string, unknown>, { id, email }: Subject): Record<string, unknown> {
  const named = (word: unknown) => (word === email ? id : word);
  const options = Object.entries(details['options'] as object).map(([name, value]) => [name, named(value)]);
  return {
    ...details,
    arguments: (details['arguments'] as string[]).map(named),
    options: Object.fromEntries(options) as object,
  };
}

/** The account that a command names by its address; undefined when it names none, or one that is not there. */
async function subjectOf(app: INestApplicationContext, details: Record<string, unknown>): Promise<Subject | undefined> {
  const words = [...(details['arguments'] as string[]), ...Object.values(details['options'] as object)];
  const email = words.find((word) => typeof word === 'string' && word.includes('@'));
  if (typeof email !== 'string') return undefined;
  const account = await app.get(Accounts, { strict: false }).findByEmail(email);
  return account ? { id: account.id, email } : undefined;
}
