import type { INestApplicationContext } from '@nestjs/common';
import { CommanderError, InvalidArgumentError, type Command } from 'commander';
import { publicCode } from '#contract/errors.js';
import { Accounts } from '#core/accounts/accounts.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { Shards } from '#core/platform/database/shards.js';
import { DomainError } from '#core/platform/errors/domain-error.js';

/** Runs work in the product's container and prints the result as JSON. */
export type Run = (work: (app: INestApplicationContext) => Promise<object>) => Promise<void>;

/** Returns a service, whichever module exports it. */
export type Get = <T>(type: abstract new (...args: never[]) => T) => T;

/** Runs a command: records it in the audit log, then prints its result as JSON. */
export type RunCommand = (work: (get: Get) => Promise<object>) => Promise<void>;

const WHOLE_MAX = 1_000_000_000;

/**
 * Records every command with its arguments in the audit log before it runs, so that nothing happens unrecorded, and records a
 * second entry when it fails.
 */
export function audited(program: Command, run: Run): RunCommand {
  let details: Record<string, unknown> = {};
  program.hook('preAction', (_program, command) => {
    details = { command: nameOf(command), arguments: command.args, options: command.opts() };
  });
  return (work) =>
    run(async (app) => {
      const get: Get = (type) => app.get(type, { strict: false });
      const log = get(AuditLog);
      const subject = await subjectOf(get, details);
      const accountId = subject?.id ?? null;
      const command = { actor: 'operator', accountId, action: 'operator.command' } as const;
      const safe = withoutNumbers(details);
      await log.recordAlone({ ...command, details: subject ? withoutAddress(safe, subject) : safe });
      try {
        return await (subject ? get(Shards).of(subject.id, () => work(get)) : work(get));
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

/** Commands whose arguments are phone numbers of people. */
const aboutPeople = /^(recipient|optout) /;
const NUMBER_SHOWN_CHARACTERS = 5;

/** Masks people's phone numbers: entries are kept forever. */
function withoutNumbers(details: Record<string, unknown>): Record<string, unknown> {
  if (!aboutPeople.test(String(details['command']))) return details;
  const masked = (word: unknown) =>
    typeof word === 'string' && /^[+\d\s().-]{7,}$/.test(word)
      ? word.slice(0, NUMBER_SHOWN_CHARACTERS).padEnd(word.length, '•')
      : word;
  const options = Object.entries(details['options'] as object).map(([name, value]) => [name, masked(value)]);
  return {
    ...details,
    arguments: (details['arguments'] as string[]).map(masked),
    options: Object.fromEntries(options) as object,
  };
}

interface Subject {
  readonly id: string;
  readonly email: string;
}

/** Replaces the address by the account's id: entries are kept forever, addresses only as long as their account. */
function withoutAddress(details: Record<string, unknown>, { id, email }: Subject): Record<string, unknown> {
  const replaced = (word: unknown) => (word === email ? id : word);
  const options = Object.entries(details['options'] as object).map(([name, value]) => [name, replaced(value)]);
  return {
    ...details,
    arguments: (details['arguments'] as string[]).map(replaced),
    options: Object.fromEntries(options) as object,
  };
}

/** Finds the account whose address is among a command's arguments; undefined when there is none. */
async function subjectOf(get: Get, details: Record<string, unknown>): Promise<Subject | undefined> {
  const words = [...(details['arguments'] as string[]), ...Object.values(details['options'] as object)];
  const email = words.find((word) => typeof word === 'string' && word.includes('@'));
  if (typeof email !== 'string') return undefined;
  const account = await get(Accounts).findByEmail(email);
  return account ? { id: account.id, email } : undefined;
}

/** Output of a refused command. */
interface Refusal {
  readonly error: string;
  readonly code: string;
}

/** Returns the output for a refused or mistyped command; undefined for other errors and for requested help. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof DomainError) return { error: error.detail, code: publicCode(error.code) };
  if (!(error instanceof CommanderError) || error.exitCode === 0) return undefined;
  const isIncomplete = error.code === 'commander.help';
  const message = isIncomplete ? 'The command is incomplete. --help lists what can follow.' : error.message;
  return { error: message.replace(/^error: /, '').replace(/\s+/g, ' '), code: publicCode('invalid_request') };
}

/** Parses a whole number from 0. This and the other parsers throw `InvalidArgumentError`. */
export function whole(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > WHOLE_MAX)
    throw new InvalidArgumentError(`Give a whole number from 0 to ${WHOLE_MAX}.`);
  return value;
}

/** Parses a whole number from 1. */
export function positive(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value === 0 || value > WHOLE_MAX)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${WHOLE_MAX}.`);
  return value;
}

/** Parses a positive or negative whole number. */
export function nonZero(text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value === 0 || Math.abs(value) > WHOLE_MAX)
    throw new InvalidArgumentError(`Give a whole number other than 0, up to ${WHOLE_MAX}.`);
  return value;
}

/** Parses a date (its midnight in UTC) or an instant in ISO 8601. */
export function instant(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\d(T.+)?$/.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Give a date such as 2026-12-31, or an instant such as 2026-12-31T17:00:00Z.');
  return at;
}
