const NAME = 'signed-in';

/**
 * Whether somebody was signed in when the dashboard was last open: it spares everybody else's public pages a call. No more than a hint,
 * the session alone counts.
 */
export function wasSignedIn(): boolean {
  return storage()?.getItem(NAME) === 'yes';
}

export function rememberSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) storage()?.setItem(NAME, 'yes');
  else storage()?.removeItem(NAME);
}

/** Undefined where the person lets pages keep nothing. */
function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
