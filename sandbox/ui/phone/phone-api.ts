import type { MessageView, ThreadsView, ThreadView } from '../../phone/phone-view.js';
import { post, read } from '../frame/read.js';

export type { MessageView, ThreadsView, ThreadView };

/** The list of threads, with where the product is and the number it sent from last. */
export interface ThreadsAnswer extends ThreadsView {
  readonly productUrl: string;
  readonly sender: string;
}

export function readThreads(digits: string, before?: number): Promise<ThreadsAnswer> {
  return readWith('/_phone/threads', { digits, before });
}

export function readThread(phone: string, before?: number): Promise<ThreadView> {
  return readWith(`/_phone/threads/${encodeURIComponent(phone)}`, { before });
}

/** Sends a reply as this phone. Resolves once the product has answered, whatever it said; throws if the sandbox did not take it. */
export async function sendReply(phone: string, sender: string, text: string): Promise<void> {
  await post('/_control/inbound', { from: phone, to: sender, body: text });
}

function readWith<T>(path: string, query: Record<string, string | number | undefined>): Promise<T> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return read(`${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`);
}
