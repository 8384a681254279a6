/**
 * Drops dismissals of notifications that are gone, so that they are shown when they come back.
 */
export function keptDismissals(dismissed: readonly string[], current: readonly string[]): readonly string[] {
  const kept = dismissed.filter((id) => current.includes(id));
  return kept.length === dismissed.length ? dismissed : kept;
}

/** Parses a text of {@link dismissalsText}; returns none without a text. */
export function dismissalsFrom(text: string | null | undefined): readonly string[] {
  return (text ?? '').split('\n').filter((id) => id !== '');
}

/** Joins ids by line breaks, which ids do not contain. */
export function dismissalsText(dismissed: readonly string[]): string {
  return dismissed.join('\n');
}
