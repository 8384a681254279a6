import { readFileSync, statSync } from 'node:fs';
import { secretVariables } from './env-schema.js';

/** Suffix of a secret's name, for the variable that names a file with its value. */
export const FILE_SUFFIX = '_FILE';
const SECRET_BYTES_MAX = 65_536;

/** Fault of a variable, as a sentence without its value. */
export interface VariableFault {
  readonly variable: string;
  readonly sentence: string;
}

/**
 * Reads the secrets whose `NAME_FILE` names a file, as Docker, Kubernetes and systemd's
 * `LoadCredential=` provide them. Returns the variables with these values, without the line breaks
 * at the end of a file, and a fault for each secret that is given twice or cannot be read. An empty
 * variable counts as not set.
 */
export function withSecretFiles(variables: NodeJS.ProcessEnv): {
  readonly values: NodeJS.ProcessEnv;
  readonly faults: readonly VariableFault[];
} {
  const values = { ...variables };
  const faults: VariableFault[] = [];
  for (const variable of secretVariables) {
    const path = variables[variable + FILE_SUFFIX];
    if (!path) continue;
    if (variables[variable]) {
      faults.push({ variable, sentence: `${variable} and ${variable}_FILE are both set: remove one of them` });
      continue;
    }
    const read = readSecret(path);
    if (read.fault === undefined) values[variable] = read.value;
    else faults.push({ variable, sentence: `${variable}_FILE names ${path}, ${read.fault}` });
  }
  return { values, faults };
}

/** Returns the value in a file, or the file's fault and its fix. */
function readSecret(path: string): { value: string; fault?: undefined } | { fault: string } {
  try {
    const file = statSync(path);
    if (!file.isFile()) return { fault: 'which is not a file: name a file that has the value alone' };
    if (file.size > SECRET_BYTES_MAX) return { fault: `which is larger than ${SECRET_BYTES_MAX} bytes` };
    const value = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
    return value === '' ? { fault: 'which is empty: write the value into it' } : { value };
  } catch (error) {
    return { fault: unreadable(error) };
  }
}

function unreadable(error: unknown): string {
  // Node's own errors may come from another realm, as under Jest.
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'which does not exist: create it, or correct the path';
  if (code === 'EACCES' || code === 'EPERM') return 'which this process may not read: let its user read it';
  return `which cannot be read (${code})`;
}
