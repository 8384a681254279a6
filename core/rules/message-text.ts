/** Typed by lib es2024; every supported Node version has these methods. */
interface WellFormedString {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/**
 * Returns false for text that Postgres and the carrier cannot store: with NUL or an unpaired
 * surrogate.
 */
export function isSendableText(text: string): boolean {
  return !text.includes('\0') && (text as string & WellFormedString).isWellFormed();
}

/** Replaces every character that Postgres cannot store by U+FFFD. */
export function keepableText(text: string): string {
  return (text as string & WellFormedString).toWellFormed().replaceAll('\0', '\ufffd');
}
