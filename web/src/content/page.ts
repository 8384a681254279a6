import type { PlainLanguage, SampleLanguage } from '../paths.js';
import type { Code } from '../ui/code.js';
import type { SampleCall } from './samples.js';
import type { CodeLanguage } from './code-language.js';

/** Inline Markdown: `code`, **strong** and [links](/path). */
export type Markup = string;

/** A block of a page; plain markup is a paragraph. */
export type Block =
  | Markup
  | { readonly kind: 'list' | 'steps'; readonly items: readonly Markup[] }
  | { readonly kind: 'note'; readonly text: Markup }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Markup[])[] }
  /** Named entries that can be linked to. */
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | Snippet
  | Sample
  | SampleTabs
  | {
      readonly kind: 'exchange';
      readonly request: Snippet | Sample | SampleTabs;
      readonly answers: readonly Snippet[];
    };

export interface Entry {
  readonly name: string;
  /** A word or two about the entry. */
  readonly tag: string;
  readonly text: readonly Markup[];
}

/** A program, request or answer in a titled window. */
export interface Snippet {
  readonly kind: 'code';
  readonly title: string;
  readonly language: CodeLanguage;
  readonly code: string;
}

/** A program in `samples/` that needs no package. */
export interface Sample {
  readonly kind: 'sample';
  readonly call: SampleCall;
  readonly language: PlainLanguage;
}

/**
 * The programs for a call in each language, as tabs of one window. They use our client where we have
 * one for the language.
 */
export interface SampleTabs {
  readonly kind: 'languages';
  readonly call: SampleCall;
}

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A page of text. Search engines show its title and description. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Other words by which the search finds the page. */
  readonly keywords?: readonly string[];
  readonly intro: readonly Block[];
  readonly sections: readonly Section[];
}

export const list = (...items: Markup[]): Block => ({ kind: 'list', items });
export const steps = (...items: Markup[]): Block => ({ kind: 'steps', items });
export const note = (text: Markup): Block => ({ kind: 'note', text });
export const table = (head: readonly string[], rows: readonly (readonly Markup[])[]): Block => ({
  kind: 'table',
  head,
  rows,
});
export const code = (title: string, language: CodeLanguage, text: string): Snippet => ({
  kind: 'code',
  title,
  language,
  code: text,
});
export const sample = (call: SampleCall, language: PlainLanguage): Sample => ({ kind: 'sample', call, language });
export const inEveryLanguage = (call: SampleCall): SampleTabs => ({ kind: 'languages', call });
export const exchange = (request: Snippet | Sample | SampleTabs, ...answers: Snippet[]): Block => ({
  kind: 'exchange',
  request,
  answers,
});

export interface RenderedCode {
  readonly kind: 'code';
  readonly title: string;
  readonly code: Code;
}

/** The programs for one call, curl first if there is one. */
export interface RenderedTabs {
  readonly kind: 'languages';
  /** The task of the programs. */
  readonly title: string;
  readonly programs: readonly { readonly language: SampleLanguage; readonly code: Code }[];
}

/** A block as the browser gets it: samples loaded, code highlighted. */
export type RenderedBlock =
  | Exclude<Block, Snippet | Sample | SampleTabs | { readonly kind: 'exchange' }>
  | RenderedCode
  | RenderedTabs
  | {
      readonly kind: 'exchange';
      readonly request: RenderedCode | RenderedTabs;
      readonly answers: readonly RenderedCode[];
    };

/** A page as the browser gets it. */
export interface RenderedPage extends Omit<Page, 'intro' | 'sections'> {
  readonly intro: readonly RenderedBlock[];
  readonly sections: readonly { readonly title: string; readonly blocks: readonly RenderedBlock[] }[];
}

/** The fragment that links to a section: 'What a message costs' → 'what-a-message-costs'. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
