import { useSyncExternalStore } from 'react';
import type { SampleRequest } from '../../api/visitor-calls.js';
import { placeholders } from '../../content/samples.js';
import { rememberSignedIn, wasSignedIn } from '../../browser-storage.js';
import type { Code } from '../../ui/code.js';

const placeholder = new RegExp(`${placeholders.apiKey}(_test)?`, 'g');
const listeners = new Set<() => void>();
let testKey: string | undefined;
let isAsked = false;

/**
 * The test key of a signed-in reader; undefined for others and until it is known. Requested once
 * per visit.
 */
export function useReaderKey(): string | undefined {
  return useSyncExternalStore(
    listen,
    () => testKey,
    () => undefined,
  );
}

/** The code with the reader's test key in place of the placeholder. */
export function withKey(code: Code, key: string): Code {
  const text = (part: string) => part.replace(placeholder, () => key);
  return code.map(([part, kind]) => (kind ? [text(part), kind] : [text(part)]));
}

/** The key as a page shows it: all but its prefix and its end is masked. */
export function maskedKey(key: string): string {
  return key.replace(/(?<=_)[^_]+(?=.{4}$)/, '••••••••');
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  if (!isAsked && wasSignedIn()) void ask();
  isAsked = true;
  return () => listeners.delete(listener);
}

async function ask(): Promise<void> {
  try {
    const { readReaderKey } = await import('../../api/visitor-calls.js');
    const answer = await readReaderKey();
    testKey = answer.testKey ?? undefined;
    if (testKey === undefined) rememberSignedIn(false);
    for (const listener of listeners) listener();
  } catch {
    // Without an answer the samples keep their placeholders.
    testKey = undefined;
  }
}

/** A value that only the reader has, or a time that is over by now. */
const unknown = /YOUR_|send_at/;

/**
 * Parses the request of a sample, either a curl form or a raw HTTP POST; undefined for any other
 * text and when it cannot be tried.
 */
export function sampleRequest(text: string): SampleRequest | undefined {
  if (unknown.test(text)) return undefined;
  return curlForm(text) ?? plainPost(text);
}

function curlForm(text: string): SampleRequest | undefined {
  const [, path] = /^curl https?:\/\/[^/\s]+(\/\S*)/.exec(text) ?? [];
  const fields = [...text.matchAll(/--data-urlencode (\w+)='([^']*)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  if (path === undefined || fields.length === 0) return undefined;
  const headers = [...text.matchAll(/-H '([\w-]+): ([^']*)'/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const body = new URLSearchParams(fields).toString();
  return {
    path,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...Object.fromEntries(headers) },
    body,
  };
}

function plainPost(text: string): SampleRequest | undefined {
  const [, path, type, body] = /^POST https?:\/\/[^/\s]+(\/\S*)\nContent-Type: (\S+)\n\n(.+)$/s.exec(text) ?? [];
  if (path === undefined || type === undefined || body === undefined) return undefined;
  return { path, headers: { 'Content-Type': type }, body };
}
