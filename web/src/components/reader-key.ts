import { useSyncExternalStore } from 'react';
import { placeholders } from '../content/samples.js';
import { rememberSignedIn, wasSignedIn } from '../signed-in-hint.js';
import type { Code } from '../ui/code.js';

const placeholder = new RegExp(`${placeholders.apiKey}(_test)?`, 'g');
const listeners = new Set<() => void>();
let testKey: string | undefined;
let isAsked = false;

/** The test key of a reader who is signed in; undefined for everybody else, and until it is known. Asked for once in a visit. */
export function useReaderKey(): string | undefined {
  return useSyncExternalStore(
    listen,
    () => testKey,
    () => undefined,
  );
}

/** The code with the reader's test key in its place. */
export function withKey(code: Code, key: string): Code {
  const text = (part: string) => part.replace(placeholder, () => key);
  return code.map(([part, kind]) => (kind ? [text(part), kind] : [text(part)]));
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  if (!isAsked && wasSignedIn()) void ask();
  isAsked = true;
  return () => listeners.delete(listener);
}

async function ask(): Promise<void> {
  try {
    const { readReaderKey } = await import('../api/samples.js');
    const answer = await readReaderKey();
    testKey = answer.testKey ?? undefined;
    if (testKey === undefined) rememberSignedIn(false);
    for (const listener of listeners) listener();
  } catch {
    // Without an answer the samples stay as everybody else reads them.
    testKey = undefined;
  }
}
