import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { MediaDownload } from '../../media/media-download.js';
import { MediaStore } from '../../media/media-store.js';
import type { ReceivedFile } from '../../media/received-file.js';
import { Config } from '../../platform/config/config.js';
import type { FetchBudget } from './fetch-budget.js';

/** `failed`: there is no file; `reason` may be shown to the customer. */
export type FetchOutcome =
  | { readonly kind: 'received'; readonly file: ReceivedFile }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Fetches files from URLs of customers: from public addresses only, also after redirects, within
 * bounded time and size, without cookies and credentials.
 */
@Injectable()
export class FetchFile implements OnApplicationShutdown {
  private readonly download: MediaDownload;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly store: MediaStore,
    { http, webhooks }: Config,
  ) {
    this.headers = { 'user-agent': `Pennytext-Media (+${http.publicUrl})` };
    this.download = new MediaDownload({
      allowPrivate: webhooks.allowPrivate,
      timeoutMs: limits.mediaFetchSeconds * 1_000,
    });
  }

  /**
   * Fetches a file that a request names a number of times, within the request's budget. The caller
   * removes the file. A fetch that ends because others exceeded the budget has `failed`. Throws
   * `MediaFilesUnavailable` when this machine has no room.
   */
  async fetch(url: string, times: number, budget: FetchBudget): Promise<FetchOutcome> {
    const fetched = await this.download.fetch(
      url,
      () => this.headers,
      (content) => this.store.receive(budget.spend(content, times), budget.bytesMax),
      budget.exceeded,
    );
    switch (fetched.kind) {
      case 'done':
        return fetched.result;
      case 'refused':
        return { kind: 'failed', reason: `The server answered ${fetched.status}.` };
      case 'foreign':
        return { kind: 'failed', reason: fetched.reason };
      case 'unavailable':
        return { kind: 'failed', reason: fetched.shown };
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.download.close();
  }
}
