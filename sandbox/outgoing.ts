import { Agent } from 'undici';

const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 15_000;

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Posts to the product over up to 50 connections; further posts wait for a connection. */
export class Poster {
  private readonly agent = new Agent({
    connections: 50,
    connectTimeout: CONNECT_TIMEOUT_MS,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  });

  /** Throws undici's error without an answer: 5 s to connect, 15 s for the answer unless given. */
  async post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    answerMs = ANSWER_TIMEOUT_MS,
  ): Promise<Answer> {
    return this.request('POST', url, headers, body, answerMs);
  }

  /** Throws as `post` does. */
  async get(url: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
    return this.request('GET', url, headers, null, ANSWER_TIMEOUT_MS);
  }

  private async request(
    method: 'GET' | 'POST',
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string | null,
    answerMs: number,
  ): Promise<Answer> {
    const { origin, pathname, search } = new URL(url);
    const answer = await this.agent.request({
      origin,
      path: pathname + search,
      method,
      headers,
      body,
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
    });
    return {
      status: answer.statusCode,
      contentType: String(answer.headers['content-type'] ?? ''),
      text: await answer.body.text(),
    };
  }

  /** Ends running posts. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

export interface ProductUrls {
  readonly productUrl: string;
  readonly publicProductUrl: string;
}

/**
 * Address at which the sandbox reaches a URL of the product: in containers the product has another
 * name than its public URL.
 */
export function reachableUrl(url: string, { productUrl, publicProductUrl }: ProductUrls): string {
  return url.startsWith(`${publicProductUrl}/`) ? productUrl + url.slice(publicProductUrl.length) : url;
}

/** Timers that are canceled together. */
export class Timers {
  private readonly running = new Set<NodeJS.Timeout>();

  later(afterMs: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.running.delete(timer);
      work();
    }, afterMs);
    this.running.add(timer);
  }

  clear(): void {
    for (const timer of this.running) clearTimeout(timer);
    this.running.clear();
  }
}
