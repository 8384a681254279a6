/** Where the browser stores a chosen color scheme; empty means the system's. */
export const COLOR_SCHEME_KEY = 'color-scheme';

/**
 * Runs in every page before anything is painted; the server allows it in the Content-Security-Policy by its hash. Without
 * storage, pages follow the system.
 */
export const colorSchemeScript = `try{const scheme=localStorage.getItem('${COLOR_SCHEME_KEY}');if(scheme==='light'||scheme==='dark')document.documentElement.dataset.scheme=scheme}catch{}`;
