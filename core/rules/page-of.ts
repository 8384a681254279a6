/** Clamps a requested page to the last page. Pages are numbered from 1; an empty list has one page. */
export function pageOf(asked: number, total: number, size: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(total / size));
  return { page: Math.min(asked, pages), pages };
}
