const NAME = 'signed-in';

/**
 * Whether the dashboard was last left signed in. Only a hint that saves signed-out readers a call; the session decides.
 */
export function wasSignedIn(): boolean {
  return storage()?.getItem(NAME) === 'yes';
}

export function rememberSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) storage()?.setItem(NAME, 'yes');
  else storage()?.removeItem(NAME);
}

/** Undefined when the browser blocks storage. */
function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
