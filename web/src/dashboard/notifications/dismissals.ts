/**
 * The dismissals to keep: a notification that is gone loses its own, so that it is shown when it
 * comes back.
 */
export function keptDismissals(dismissed: readonly string[], current: readonly string[]): readonly string[] {
  const kept = dismissed.filter((id) => current.includes(id));
  return kept.length === dismissed.length ? dismissed : kept;
}

/** Reads what {@link dismissalsText} wrote; anything else is no dismissal. */
export function dismissalsFrom(text: string | null | undefined): readonly string[] {
  return (text ?? '').split('\n').filter((id) => id !== '');
}

/** Ids have no line breaks. */
export function dismissalsText(dismissed: readonly string[]): string {
  return dismissed.join('\n');
}
