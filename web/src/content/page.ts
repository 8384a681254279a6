import type { CodeLanguage } from './highlight.server.js';
import type { SampleLanguage } from '../paths.js';
import type { SampleCall } from './samples.js';

/** Words with `code`, **strong words** and [links](/path), as Markdown has them. */
export type Words = string;

/** A piece of a page; plain words are a paragraph. */
export type Block =
  | Words
  | { readonly kind: 'list' | 'steps'; readonly items: readonly Words[] }
  | { readonly kind: 'note'; readonly text: Words }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly Words[])[] }
  /** Things with a name of their own, which addresses can lead to. */
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | Snippet
  | Sample
  /** The samples of these calls in every language but Curl, one language open at a time. */
  | { readonly kind: 'languages'; readonly calls: readonly SampleCall[] }
  | { readonly kind: 'exchange'; readonly request: Snippet | Sample; readonly answers: readonly Snippet[] };

export interface Entry {
  readonly name: string;
  /** A word or two about it. */
  readonly tag: string;
  readonly text: readonly Words[];
}

/** A program, a request or an answer, in a window with a title. */
export interface Snippet {
  readonly kind: 'code';
  readonly title: string;
  readonly language: CodeLanguage;
  readonly code: string;
}

/** One of the programs under `samples/`. */
export interface Sample {
  readonly kind: 'sample';
  readonly call: SampleCall;
  readonly language: SampleLanguage;
}

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A page of words. Titles and descriptions are also what search engines show. */
export interface Page {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly intro: readonly Block[];
  readonly sections: readonly Section[];
}

export const list = (...items: Words[]): Block => ({ kind: 'list', items });
export const steps = (...items: Words[]): Block => ({ kind: 'steps', items });
export const note = (text: Words): Block => ({ kind: 'note', text });
export const table = (head: readonly string[], rows: readonly (readonly Words[])[]): Block => ({
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
export const sample = (call: SampleCall, language: SampleLanguage): Sample => ({ kind: 'sample', call, language });
export const inOtherLanguages = (...calls: SampleCall[]): Block => ({ kind: 'languages', calls });
export const exchange = (request: Snippet | Sample, ...answers: Snippet[]): Block => ({
  kind: 'exchange',
  request,
  answers,
});
