/** Where the browser stores a chosen color scheme; empty means the system's. */
export const COLOR_SCHEME_KEY = 'color-scheme';

/**
 * Runs in every page before anything is painted; the server allows it in the Content-Security-Policy by its hash. Without
 * storage, pages follow the system.
 */
export const colorSchemeScript = `try{const scheme=localStorage.getItem('${COLOR_SCHEME_KEY}');if(scheme==='light'||scheme==='dark')document.documentElement.dataset.scheme=scheme}catch{}`;

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
