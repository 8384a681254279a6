const PATH_CHARACTERS_MAX = 1_000;
/** Placeholder origin: a path that leaves it would leave our site. */
const BASE = 'http://here';
const dashboardPath = /^\/dashboard(\/|$)/;

/**
 * Parses the dashboard path that a sign-in returns to, from the query parameter `next`; returns undefined for anything else, such
 * as a URL of another host. The result is always a path of this site.
 */
export function returnPath(next: unknown): string | undefined {
  if (typeof next !== 'string' || next.length > PATH_CHARACTERS_MAX) return undefined;
  try {
    const { origin, pathname, search } = new URL(next, BASE);
    return origin === BASE && dashboardPath.test(pathname) ? `${pathname}${search}` : undefined;
  } catch {
    // Not a URL. URL.canParse rejects non-ASCII letters in Node 20.
    return undefined;
  }
}

/** Appends the return path to an address of the sign-in, unless it is the dashboard's home, where every sign-in leads. */
export function withReturnPath(address: string, next: string | undefined): string {
  return next === undefined || next === '/dashboard'
    ? address
    : `${address}?${new URLSearchParams({ next }).toString()}`;
}
