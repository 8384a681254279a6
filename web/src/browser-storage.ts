/** Storage key of the chosen color scheme; an empty value means the system's scheme. */
export const COLOR_SCHEME_KEY = 'color-scheme';

/** Storage key of the language in which the documentation shows programs. */
const LANGUAGE_KEY = 'language';

/** Storage key of the mark that a user is signed in. */
const SIGNED_IN_KEY = 'signed-in';

/**
 * Runs in every page before anything is painted; the server allows it in the
 * Content-Security-Policy by its hash. Without storage, pages follow the system and show the first
 * language.
 */
export const preferencesScript =
  'try{const ' +
  `r=document.documentElement.dataset,scheme=localStorage.getItem('${COLOR_SCHEME_KEY}'),language=localStorage.getItem('${LANGUAGE_KEY}'),signedIn=localStorage.getItem('${SIGNED_IN_KEY}');if(scheme==='light'||scheme==='dark')r.scheme=scheme;if(language)r.language=language;if(signedIn)r.signedIn=signedIn}catch{}`;

/** The language of programs: an attribute of the root element, because style sheets read it too. */
export const language = {
  chosen: () => document.documentElement.dataset.language,
  choose(name: string): void {
    document.documentElement.dataset.language = name;
    storage()?.setItem(LANGUAGE_KEY, name);
    dispatchEvent(new Event(LANGUAGE_KEY));
  },
  /** Calls the listener when the choice changes in this tab or another. */
  onChange(listener: () => void): () => void {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key !== LANGUAGE_KEY || !newValue) return;
      document.documentElement.dataset.language = newValue;
      listener();
    };
    addEventListener('storage', onStorage);
    addEventListener(LANGUAGE_KEY, listener);
    return () => {
      removeEventListener('storage', onStorage);
      removeEventListener(LANGUAGE_KEY, listener);
    };
  },
};

/**
 * Returns whether the user was signed in when the dashboard was last left: a hint that saves
 * signed-out readers a call. The session decides.
 */
export function wasSignedIn(): boolean {
  return storage()?.getItem(SIGNED_IN_KEY) === 'yes';
}

/** Stores the mark, also on the root element, where style sheets read it. */
export function rememberSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) {
    document.documentElement.dataset.signedIn = 'yes';
    storage()?.setItem(SIGNED_IN_KEY, 'yes');
  } else {
    delete document.documentElement.dataset.signedIn;
    storage()?.removeItem(SIGNED_IN_KEY);
  }
}

/** The local storage; undefined when the browser blocks it. */
export function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
