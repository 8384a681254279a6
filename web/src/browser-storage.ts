/** Where the browser stores a chosen color scheme; empty means the system's. */
export const COLOR_SCHEME_KEY = 'color-scheme';

/** Where the browser stores the language in which the documentation shows programs. */
const LANGUAGE_KEY = 'language';

/** Where the browser stores that someone is signed in. */
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
 * Whether the dashboard was last left signed in. Only a hint that saves signed-out readers a call;
 * the session decides.
 */
export function wasSignedIn(): boolean {
  return storage()?.getItem(SIGNED_IN_KEY) === 'yes';
}

/** Also on the root element, where style sheets read it. */
export function rememberSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) {
    document.documentElement.dataset.signedIn = 'yes';
    storage()?.setItem(SIGNED_IN_KEY, 'yes');
  } else {
    delete document.documentElement.dataset.signedIn;
    storage()?.removeItem(SIGNED_IN_KEY);
  }
}

/** Undefined when the browser blocks storage. */
export function storage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
