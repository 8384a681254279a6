/** A character for people: one that nobody can see, such as a no-break space, by its number in Unicode. */
export function shownCharacter(character: string): string {
  if (!/^[\p{Z}\p{C}\p{M}]+$/u.test(character)) return character;
  return Array.from(
    character,
    (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  ).join(' ');
}
