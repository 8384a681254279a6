import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from './terminal.js';

/** Key and address of the service, from the login or the environment. */
export interface Connection {
  readonly apiKey: string;
  readonly baseUrl: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The system's folder for settings: XDG on Linux, Application Support on macOS, AppData on Windows.
 */
export function configFile(env: Environment, platform: NodeJS.Platform = process.platform, home = homedir()): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: appData } = env;
  let folder = join(home, '.config');
  if (platform === 'darwin') folder = join(home, 'Library', 'Application Support');
  if (platform === 'win32') folder = appData ?? join(home, 'AppData', 'Roaming');
  return join(xdg || folder, 'pennytext', 'config.json');
}

/** The environment precedes the file. Throws {@link UsageError} if neither has a connection. */
export function readConnection(env: Environment): Connection {
  const saved = readSaved(configFile(env));
  const apiKey = env['PENNYTEXT_API_KEY'] || saved.apiKey;
  const baseUrl = env['PENNYTEXT_URL'] || saved.baseUrl;
  if (apiKey && baseUrl) return { apiKey, baseUrl };
  throw new UsageError('Run "pennytext login" first, or set PENNYTEXT_URL and PENNYTEXT_API_KEY.');
}

/** Writes the file so that only its owner can read it, and returns its path. */
export function saveConnection(env: Environment, connection: Connection): string {
  const file = configFile(env);
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return file;
}

export function forgetConnection(env: Environment): void {
  rmSync(configFile(env), { force: true });
}

function readSaved(file: string): Partial<Connection> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return {};
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) chmodSync(file, 0o600);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Connection>;
  } catch {
    throw new UsageError(`${file} cannot be read. Run "pennytext login" again.`);
  }
}
