/** Reasons of a failed sign-in that `/login?error=` shows, as `Sign-in error: {message}`. */
export const signInMessages = {
  unverified: 'Your email address is not verified at Google.',
  blocked: 'This account is blocked. Contact support.',
  busy: 'This account is being changed. Please try again.',
  hasPassword: 'This address has a password. Use it, or “Forgot your password?”.',
  otherGoogleAccount: 'This address belongs to another Google account. Contact support.',
  incompleteProfile: 'Google sent an incomplete profile.',
  notConfigured: 'Google sign-in is not configured.',
  notAllowed: 'You did not allow Google to share your profile.',
  unreachable: "Couldn't reach Google. Please try again.",
  stateLost: 'The sign-in took too long or began in another browser. Please try again.',
  wrongAddress: 'The sign-in came back to the wrong address. Please try again.',
  tooManyFromNetwork: 'Too many failed sign-ins from your network. Please try again in {time}.',
  tooManyForAddress: 'Too many failed sign-ins with this email address. Please try again in {time}.',
  tooManySignUps: 'Too many new accounts from your network. Existing accounts can sign in; please try again in {time}.',
  tooManyRequests: 'Too many requests from your network. Please try again in {time}.',
  failed: 'Something went wrong on our side. Please try again.',
} as const;

/** Reasons why a record could not be created at the first sign-in. */
export const recordMessages = {
  user: 'The service is temporarily unavailable. Please try again.',
  credits: 'Your free credits will be added at your next visit.',
} as const;

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/** Returns a message with `{time}` replaced, in whole minutes, or in hours from two on. */
export function withTime(message: string, seconds: number): string {
  const [count, unit] =
    seconds < 2 * HOUR_SECONDS
      ? [Math.ceil(seconds / MINUTE_SECONDS), 'minute']
      : [Math.ceil(seconds / HOUR_SECONDS), 'hour'];
  return message.replace('{time}', `${count} ${unit}${count === 1 ? '' : 's'}`);
}

const TIME = /\b\d{1,3} (?:minute|hour)s?\b/;

// Avoids errorText, because the login page does not load the catalogue.
const shown: ReadonlySet<string> = new Set([
  ...Object.values(signInMessages).map((message) => `Sign-in error: ${message}`),
  `Failed to create user record: ${recordMessages.user}`,
  `Failed to create credits record: ${recordMessages.credits}`,
]);

/**
 * Cookie that tells the dashboard of a first sign-in without its credits record: an address could
 * come from anyone.
 */
export const signInNotice = { cookie: 'pennytext_notice', path: '/dashboard', value: 'credits_record_failed' } as const;

/**
 * Cookie set with the redirect to `/login?error=…`, and removed when the page has shown the text:
 * proves that the server sent the text.
 */
export const signInErrorCookie = { name: 'pennytext_sign_in_error', path: '/login', maxAgeSeconds: 60 } as const;

/**
 * Returns the text of the query parameter `error` if it is our own and the server has just sent it,
 * as the browser's cookies (`document.cookie`) prove: anyone can write into an address.
 */
export function shownSignInError(text: string | null, cookies: string): string | undefined {
  if (text === null || !shown.has(text.replace(TIME, '{time}'))) return undefined;
  return cookies.split('; ').includes(`${signInErrorCookie.name}=${encodeURIComponent(text)}`) ? text : undefined;
}

const PATH_CHARACTERS_MAX = 1_000;
/** Placeholder origin: a path that leaves it would leave our site. */
const BASE = 'http://here';
const dashboardPath = /^\/dashboard(\/|$)/;

/**
 * Parses the dashboard path that a sign-in returns to, from the query parameter `next`; returns
 * undefined for anything else, such as a URL of another host. The result is always a path of this
 * site.
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

/**
 * Appends the return path to an address of the sign-in, unless it is the dashboard's home, where
 * every sign-in leads.
 */
export function withReturnPath(address: string, next: string | undefined): string {
  return next === undefined || next === '/dashboard'
    ? address
    : `${address}?${new URLSearchParams({ next }).toString()}`;
}
