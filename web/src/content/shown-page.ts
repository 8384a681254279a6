import type { Code } from '../ui/code.js';
import type { Block, Page, Sample, Snippet } from './page.js';

/** Code that is ready to be shown. */
export interface ShownCode {
  readonly kind: 'code';
  readonly title: string;
  readonly code: Code;
}

/** The programs of one language. */
export interface ShownLanguage {
  readonly title: string;
  readonly programs: readonly ShownCode[];
}

/** A block as the browser gets it: samples read, code coloured. */
export type ShownBlock =
  | Exclude<Block, Snippet | Sample | { readonly kind: 'exchange' | 'languages' }>
  | ShownCode
  | { readonly kind: 'languages'; readonly languages: readonly ShownLanguage[] }
  | { readonly kind: 'exchange'; readonly request: ShownCode; readonly answers: readonly ShownCode[] };

/** A page as the browser gets it. */
export interface ShownPage extends Omit<Page, 'intro' | 'sections'> {
  readonly intro: readonly ShownBlock[];
  readonly sections: readonly { readonly title: string; readonly blocks: readonly ShownBlock[] }[];
}
