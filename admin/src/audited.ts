import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { FindAccount } from '#core/accounts/find-account.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { DomainError } from '#core/errors/domain-error.js';

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
      const accountId = await subjectOf(app, details);
      await log.recordAlone({ actor: 'operator', accountId, action: 'operator.command', details });
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

/** The account that a command names by its address; null when it names none, or one that is not there. */
async function subjectOf(app: INestApplicationContext, details: Record<string, unknown>): Promise<string | null> {
  const words = [...(details['arguments'] as string[]), ...Object.values(details['options'] as object)];
  const email = words.find((word) => typeof word === 'string' && word.includes('@'));
  if (typeof email !== 'string') return null;
  return app.get(FindAccount, { strict: false }).idOf(email);
}
