import type { SampleRequest } from '../api/samples.js';

/** What a sample would send, a form by curl or a POST as it goes over the wire; undefined for any other text. */
export function sampleRequest(text: string): SampleRequest | undefined {
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
