/** TypeScript types these from lib es2024 on; every Node that runs the product has them. */
interface WellFormedString {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** False for what neither Postgres nor the carrier can hold as text: a NUL character or half a surrogate pair. */
export function isSendableText(text: string): boolean {
  return !text.includes('\0') && (text as string & WellFormedString).isWellFormed();
}

/** The text as Postgres can keep it: what it cannot hold becomes U+FFFD, all else stays as it is. */
export function keepableText(text: string): string {
  return (text as string & WellFormedString).toWellFormed().replaceAll('\0', '\ufffd');
}
