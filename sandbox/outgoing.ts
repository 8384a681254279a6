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
    const { origin, pathname, search } = new URL(url);
    const path = pathname + search;
    const answer = await this.agent.request({
      origin,
      path,
      method: 'POST',
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
