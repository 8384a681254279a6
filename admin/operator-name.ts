import { userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';

/** Form of names in the audit log: in lower case, so that a person has one name. */
const nameForm = /^[a-z][a-z0-9._-]{0,39}$/;

/** Logins of machines, images and services: several people use them. */
const sharedLogins: ReadonlySet<string> = new Set([
  'admin',
  'debian',
  'ec2-user',
  'node',
  'nobody',
  'pennytext',
  'postgres',
  'root',
  'ubuntu',
]);

/** Person who runs a command: the name given, or the login. */
export interface CommandOperator {
  /** Undefined if no name was given and the login is no person's. */
  readonly name: string | undefined;
  /** The login, if it is a person's and differs from the given name. */
  readonly login: string | undefined;
}

/** Parses a name for the audit log. Throws `InvalidArgumentError`. */
export function operatorName(text: string): string {
  const name = text.trim().toLowerCase();
  if (!nameForm.test(name) || sharedLogins.has(name))
    throw new InvalidArgumentError('Give your own name, such as ada: a letter, then up to 39 of a-z, 0-9, . _ and -');
  return name;
}

/**
 * Returns who runs a command. `sudo` keeps the login of the person who became root; a container and
 * root have none.
 */
export function commandOperator(given: string | undefined, variables = process.env): CommandOperator {
  const { SUDO_USER, LOGNAME, USER } = variables;
  const login = [SUDO_USER, LOGNAME, USER, systemUser()]
    .map((name) => name?.toLowerCase())
    .find((name) => name !== undefined && nameForm.test(name) && !sharedLogins.has(name));
  return { name: given ?? login, login: given === undefined || given === login ? undefined : login };
}

/** The owner of this process; undefined for a number that has no name, as in some containers. */
function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'syscall' in error) return undefined;
    throw error;
  }
}
