/** The part of an address that leads to a section: 'What a message costs' → 'what-a-message-costs'. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
