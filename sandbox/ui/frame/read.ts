/** Reads JSON of the sandbox. Throws when it does not answer 2xx. */
export async function read<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}.`);
  return (await answer.json()) as T;
}

/** Posts JSON and reads the answer. Throws with the sandbox's own words when it does not take it. */
export async function post<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as T & { error?: string };
  if (!answer.ok) throw new Error(json.error ?? `The sandbox answered ${answer.status}.`);
  return json;
}
