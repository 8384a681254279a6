import type { Options } from './options.js';
import type { Children } from './processes/children.js';
import type { Secrets, Services } from './processes/environment.js';
import type { Report } from './report/report.js';

/** What every part of the bench works with. */
export interface Bench {
  readonly options: Options;
  readonly services: Services;
  readonly secrets: Secrets;
  readonly children: Children;
  readonly report: Report;
  /** Aborts when the person at the keyboard has had enough. */
  readonly signal: AbortSignal;
}
