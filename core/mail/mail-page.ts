/** A paragraph, a table of facts, or a button. Texts are plain; the HTML part escapes them. */
export type MailBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [string, string])[] }
  | { readonly kind: 'button'; readonly label: string; readonly url: string };

export interface MailPage {
  readonly heading: string;
  readonly blocks: readonly MailBlock[];
  /** Reason why the reader receives the email. */
  readonly reason: string;
}
