const PATH_CHARACTERS_MAX = 1_000;
/** Any site: what leads away from it leads away from ours. */
const BASE = 'http://here';
const dashboardPath = /^\/dashboard(\/|$)/;

/**
 * The view of the dashboard that a sign-in leads back to, as `next` in an address names it; undefined for anything else. What
 * comes out is a path of this site, whatever was put in: an address of another host, or of a page that does something, is none.
 */
export function returnPath(next: unknown): string | undefined {
  if (typeof next !== 'string' || next.length > PATH_CHARACTERS_MAX) return undefined;
  try {
    const { origin, pathname, search } = new URL(next, BASE);
    return origin === BASE && dashboardPath.test(pathname) ? `${pathname}${search}` : undefined;
  } catch {
    // No URL, of whatever kind. URL.canParse denies letters beyond ASCII in Node 20.
    return undefined;
  }
}

/** `address`, of a page or call of the sign-in, with the view to lead back to. The dashboard's home is where every sign-in leads, so it is not named. */
export function withReturnPath(address: string, next: string | undefined): string {
  return next === undefined || next === '/dashboard'
    ? address
    : `${address}?${new URLSearchParams({ next }).toString()}`;
}
