import { environmentVariables, secretVariables } from './env-schema.js';
import { FILE_SUFFIX } from './secret-files.js';

/** Names of `.env` that only Docker Compose reads. A test compares them with docker-compose.yml. */
export const composeVariables: readonly string[] = [
  'ALERTS_OFF',
  'ALERT_EMAIL_FROM',
  'ALERT_EMAIL_TO',
  'ALERT_HEARTBEAT_URL',
  'ALERT_SMTP_HOST',
  'ALERT_SMTP_PASSWORD',
  'ALERT_SMTP_USER',
  'ALERT_WEBHOOK_URL',
  'APP_PASSWORD',
  'BACKUP_AT',
  'BACKUP_FOLDER',
  'BACKUP_KEEP_DAYS',
  'BACKUP_PASSWORD',
  'ENV_FILE',
  'GRAFANA_PASSWORD',
  'MEDIA_FOLDER',
  'MIGRATOR_PASSWORD',
  'PENNYTEXT_REVISION',
  'PENNYTEXT_SOURCE',
  'PENNYTEXT_VERSION',
  'POSTGRES_PASSWORD',
  'READER_PASSWORD',
  'SERVERS',
  'SERVER_PORTS',
  'WORKERS',
];

const known: readonly string[] = [...environmentVariables, ...secretVariables.map((name) => name + FILE_SUFFIX)];

/**
 * Names of other programs that read the same `.env`: Docker Compose, the sandbox, Node and the
 * shell's time zone.
 */
const foreign = /^(COMPOSE_|SANDBOX_|NODE_|NPM_|UV_|TZ$)/i;

/**
 * Returns the names in `.env` that no program reads: they are not ours, Docker Compose's or the
 * sandbox's.
 */
export function unknownNames(names: readonly string[]): string[] {
  return names.filter((name) => !known.includes(name) && !composeVariables.includes(name) && !foreign.test(name));
}

/** Shorter names resemble the names of other programs. */
const NAME_LENGTH_MIN = 8;
const TWO_FAULTS_LENGTH_MIN = 12;

/**
 * Finds names that would be ignored silently: names that differ from a setting's name by a letter,
 * by two letters if it is long, or only by separators and case, and files for settings that are not
 * secrets. Returns a sentence for each name.
 */
export function misspelledNames(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (known.includes(name) || composeVariables.includes(name)) return [];
    const meant = meantBy(name);
    if (meant !== undefined) return [`${name} is no setting: it is called ${meant}`];
    const plain = name.endsWith(FILE_SUFFIX) ? name.slice(0, -FILE_SUFFIX.length) : '';
    return plain.length >= NAME_LENGTH_MIN && environmentVariables.includes(plain)
      ? [`${name} is no setting: only secrets are read from files, so set ${plain} itself`]
      : [];
  });
}

function meantBy(name: string): string | undefined {
  // Other programs may use a name without a separator, such as PORT, in lower case.
  const same = known.find((other) => other.includes('_') && lettersOf(other) === lettersOf(name));
  if (same !== undefined || name.length < NAME_LENGTH_MIN) return same;
  const most = name.length < TWO_FAULTS_LENGTH_MIN ? 1 : 2;
  // An environment has dozens of names of other programs, and comparing each with all of ours is
  // slow.
  const isNear = (other: string) => Math.abs(other.length - name.length) <= most;
  return known.find((other) => isNear(other) && editsBetween(name.toUpperCase(), other) <= most);
}

function lettersOf(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Number of letters to insert, delete or replace (Levenshtein distance). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [column, against] of [...other].entries())
      next.push(
        Math.min(
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
          (row[column] ?? 0) + (letter === against ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
