import type { MessageView, ThreadsView, ThreadView } from '../../src/phone/phone-view.js';

export type { MessageView, ThreadsView, ThreadView };

/** The list of threads, with where the product is and the number it sent from last. */
export interface ThreadsAnswer extends ThreadsView {
  readonly productUrl: string;
  readonly sender: string;
}

export function readThreads(digits: string, before?: number): Promise<ThreadsAnswer> {
  return read('/_phone/threads', { digits, before });
}

export function readThread(phone: string, before?: number): Promise<ThreadView> {
  return read(`/_phone/threads/${encodeURIComponent(phone)}`, { before });
}

/** Sends a reply as this phone. Resolves once the product has answered, whatever it said; throws if the sandbox did not take it. */
export async function sendReply(phone: string, sender: string, text: string): Promise<void> {
  const answer = await fetch('/_control/inbound', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: phone, to: sender, body: text }),
  });
  if (answer.ok) return;
  const { error } = (await answer.json()) as { error?: string };
  throw new Error(error ?? `The sandbox answered ${answer.status}.`);
}

async function read<T>(path: string, query: Record<string, string | number | undefined>): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const answer = await fetch(`${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`);
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}.`);
  return (await answer.json()) as T;
}
