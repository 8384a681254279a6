/** The page that is shown when `asked` is wanted: the last one when there are fewer. Pages count from 1; none is a page too. */
export function pageOf(asked: number, total: number, size: number): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(total / size));
  return { page: Math.min(asked, pages), pages };
}
