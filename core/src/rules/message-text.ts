/** TypeScript types this from lib es2024 on; every Node that runs the product has it. */
interface WellFormedString {
  isWellFormed(): boolean;
}

/** False for what neither Postgres nor the carrier can hold as text: a NUL character or half a surrogate pair. */
export function isSendableText(text: string): boolean {
  return !text.includes('\0') && (text as string & WellFormedString).isWellFormed();
}
