import type { INestApplicationContext } from '@nestjs/common';
import { CommanderError, InvalidArgumentError, type Command } from 'commander';
import { publicCode } from '#contract/errors.js';
import { regions } from '#contract/regions.js';
import { isEmail } from '#contract/sign-up.js';
import { Accounts } from '#core/accounts/accounts.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { senderForm } from '#core/platform/config/env-values.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { commandOperator, operatorName, type CommandOperator } from './operator-name.js';

/**
 * Runs work in the product's container, on behalf of an operator if there is a name, and prints the
 * result as JSON.
 */
export type Run = (
  work: (app: INestApplicationContext) => Promise<object>,
  operator: string | undefined,
) => Promise<void>;

/** Returns a service, whichever module exports it. */
export type Get = <T>(type: abstract new (...args: never[]) => T) => T;

/** Runs a command: records it in the audit log, then prints its result as JSON. */
export type RunCommand = (work: (get: Get) => Promise<object>) => Promise<void>;

/** Maximum weight of a route. */
export const WEIGHT_MAX = 100;
const WHOLE_MAX = 1_000_000_000;
const SHORT_CODE_DIGITS_MIN = 3;
/** Maximum length of an E.164 number. */
const NUMBER_DIGITS_MAX = 15;

/** Commands that change nothing, by the last word of their names. */
const readingCommand = /(^| )(show|list|history|status|check|verify|margin|prices)$/;

/**
 * Commands that give credits, or approve it: a person with a known login runs them under that name.
 */
const creditCommand = /^(account create|code create|credits adjust|approvals approve)$/;

/**
 * Records every command with its operator and its arguments in the audit log before it runs, so
 * that nothing happens unrecorded, and records a second entry when it fails. A command that changes
 * something needs an operator's name: throws `invalid_request` without one.
 */
export function audited(program: Command, run: Run): RunCommand {
  let details: Record<string, unknown> = {};
  let operator: CommandOperator = { name: undefined, login: undefined };
  program.option('--as <name>', 'your name for the audit log; by default your login', operatorName);
  program.hook('preAction', (_program, command) => {
    operator = commandOperator(program.opts<{ as?: string }>().as);
    const { login } = operator;
    details = {
      command: nameOf(command),
      arguments: command.args,
      options: command.opts(),
      ...(login !== undefined && { login }),
    };
  });
  return async (work) => {
    const { name, login } = operator;
    if (login !== undefined && creditCommand.test(String(details['command'])))
      throw new DomainError(
        'invalid_request',
        `Your login is ${login}: leave out --as. Credits are given and approved under one's own login.`,
      );
    if (name === undefined && !readingCommand.test(String(details['command'])))
      throw new DomainError(
        'invalid_request',
        'Add --as NAME, such as --as ada: the audit log records who changes something, and this login is no ' +
          "person's.",
      );
    await run(async (app) => {
      const get: Get = (type) => app.get(type, { strict: false });
      const log = get(AuditLog);
      const subject = await subjectOf(get, details);
      const accountId = subject?.id ?? null;
      const command = { actor: 'operator', accountId, action: 'operator.command' } as const;
      const safe = withoutNumbers(details);
      await log.recordAlone({ ...command, details: subject ? withoutAddress(safe, subject) : safe });
      try {
        return await (subject ? get(Postgres).ofAccount(subject.id, () => work(get)) : work(get));
      } catch (error) {
        const code = error instanceof DomainError ? error.code : 'internal';
        const refusal = { command: details['command'], code };
        await log.recordAlone({ actor: 'operator', accountId, action: 'operator.refused', details: refusal });
        throw error;
      }
    }, name);
  };
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

/**
 * Replaces the address by the account's id: entries are kept forever, addresses only as long as
 * their account.
 */
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

interface Refusal {
  readonly error: string;
  readonly code: string;
}

/**
 * Returns the output for a refused or mistyped command; undefined for other errors and for
 * requested help.
 */
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

/** Returns a parser of whole numbers from 1 to a maximum. */
export function upTo(most: number): (text: string) => number {
  return (text) => {
    if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > most)
      throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
    return Number(text);
  };
}

/** Parses the number of a row. */
export const rowId = upTo(Number.MAX_SAFE_INTEGER);

const instantForm = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Parses a date (its midnight in UTC) or an instant in ISO 8601 with its zone. */
export function instant(text: string): Date {
  const [, day] = instantForm.exec(text) ?? [];
  const at = new Date(text);
  // Date takes the 30th of February for a day in March.
  const isDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
  if (!isDay || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Give a date, YYYY-MM-DD, or an instant, YYYY-MM-DDThh:mm:ssZ.');
  return at;
}

/** Parses a date or an instant to come. */
export function future(text: string): Date {
  const at = instant(text);
  if (at <= new Date()) throw new InvalidArgumentError('Give a time in the future.');
  return at;
}

/** Parses an email address of a new account. */
export function emailAddress(text: string): string {
  if (!isEmail(text)) throw new InvalidArgumentError('Give an email address, such as ada@example.com.');
  return text;
}

/** Returns a parser of one line of text with a number of characters from 1 to a maximum. */
export function line(most: number): (text: string) => string {
  return (text) => {
    if (text.trim() === '' || text.length > most || /\p{Cc}/u.test(text))
      throw new InvalidArgumentError(`Give one line of 1 to ${most} characters.`);
    return text.trim();
  };
}

/** Parses a person's phone number, or a short code. */
export function phoneNumber(text: string): string {
  const digits = text.replace(/\D/g, '').length;
  if (!/^\+?[\d\s().-]+$/.test(text.trim()) || digits < SHORT_CODE_DIGITS_MIN || digits > NUMBER_DIGITS_MAX)
    throw new InvalidArgumentError('Give a phone number, such as +14155550100, or a short code.');
  return text;
}

/** Parses a number or messaging service that messages are sent from. */
export function sender(text: string): string {
  if (!senderForm.test(text))
    throw new InvalidArgumentError('Give a number, such as +15005550006, or the id of a messaging service, MG…');
  return text;
}

/** Parses a country of the region table by its ISO 3166-1 code of two or three letters. */
export function country(text: string): string {
  const wanted = text.toUpperCase();
  const region = regions.find(({ iso2, code }) => iso2 === wanted || code === wanted);
  if (!region)
    throw new InvalidArgumentError(
      'Give a country of the region table, such as US or USA. region list shows them all.',
    );
  return region.iso2;
}

/** Adds a carrier with its weight to the carriers parsed before it. */
export function routeWeights(text: string, before?: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const [, carrier, digits] = /^([a-z][a-z0-9_-]*):(\d{1,3})$/.exec(text) ?? [];
  const weight = Number(digits);
  if (carrier === undefined || !(weight <= WEIGHT_MAX))
    throw new InvalidArgumentError(`Give a carrier and a weight from 0 to ${WEIGHT_MAX}, such as twilio:90.`);
  if (before?.has(carrier)) throw new InvalidArgumentError(`${carrier} has two weights.`);
  return new Map([...(before ?? []), [carrier, weight]]);
}
