import { useSyncExternalStore } from 'react';
import type { SampleRequest } from '../../api/visitor-calls.js';
import { placeholders } from '../../content/samples.js';
import { rememberSignedIn, wasSignedIn } from '../../browser-storage.js';
import type { Code } from '../../ui/code.js';

const placeholder = new RegExp(`${placeholders.apiKey}(_test)?`, 'g');
const listeners = new Set<() => void>();
let testKey: string | undefined;
let isAsked = false;
let asking: Promise<void> | undefined;

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

/** The masked key, with only its prefix and its end visible. */
export function maskedKey(key: string): string {
  return key.replace(/(?<=_)[^_]+(?=.{4}$)/, '••••••••');
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  // Without an answer the samples keep their placeholders, and a trial asks again.
  if (!isAsked && wasSignedIn()) void readerKey().catch(() => undefined);
  isAsked = true;
  return () => listeners.delete(listener);
}

/**
 * The reader's test key as soon as it is known, or undefined without a session. Throws the
 * errors of the call.
 */
export async function readerKey(): Promise<string | undefined> {
  if (testKey !== undefined || !wasSignedIn()) return testKey;
  asking ??= ask().finally(() => (asking = undefined));
  await asking;
  return testKey;
}

async function ask(): Promise<void> {
  const { readReaderKey } = await import('../../api/visitor-calls.js');
  const answer = await readReaderKey();
  testKey = answer.testKey ?? undefined;
  if (testKey === undefined) rememberSignedIn(false);
  for (const listener of listeners) listener();
}

/** Placeholders for the reader's values, and shell variables. A test key accepts any id. */
const unknown = /YOUR_(?!API_KEY|\w+_ID\b)|\$\w/;
/** Uploads of a file from the reader's machine, which a page cannot read. */
const upload = /\s(-F|--form|-T|--upload-file|--data-binary)\s/;
/** A stream, which has no end. */
const endless = /\/api\/events\b/;

/** Whether a request needs the reader's key; other requests are open to all. */
export function needsKey(text: string): boolean {
  return text.includes(placeholders.apiKey);
}

/**
 * Parses the request of a sample, either a curl command or a raw HTTP POST; undefined for other
 * texts and for requests that a page cannot try.
 */
export function sampleRequest(text: string): SampleRequest | undefined {
  if (unknown.test(text) || upload.test(text)) return undefined;
  return curlRequest(text) ?? plainPost(text);
}

function curlRequest(text: string): SampleRequest | undefined {
  const [, post, path] = /^curl (-X POST )?'?https?:\/\/[^/\s]+(\/[^\s']*)/.exec(text) ?? [];
  if (path === undefined) return undefined;
  const headers = Object.fromEntries(
    [...text.matchAll(/-H '([\w-]+): ([^']*)'/g)].map(([, name = '', value = '']) => [name, value] as const),
  );
  const [, json] = /-d '([^']*)'/.exec(text) ?? [];
  if (json !== undefined) return { method: 'POST', path, headers, body: json };
  const fields = [...text.matchAll(/--data-urlencode (\w+)='([^']*)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  if (fields.length > 0)
    return {
      method: 'POST',
      path,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    };
  if (post !== undefined) return { method: 'POST', path, headers };
  return endless.test(path) ? undefined : { method: 'GET', path, headers };
}

function plainPost(text: string): SampleRequest | undefined {
  const [, path, type, body] = /^POST https?:\/\/[^/\s]+(\/\S*)\nContent-Type: (\S+)\n\n(.+)$/s.exec(text) ?? [];
  if (path === undefined || type === undefined || body === undefined) return undefined;
  return { method: 'POST', path, headers: { 'Content-Type': type }, body };
}
