/** Where the browser keeps the colours that somebody has chosen; nothing there: those of the system. */
export const COLOR_SCHEME_KEY = 'color-scheme';

/**
 * Runs in every page before anything is painted; the server names it in the page's Content-Security-Policy by its hash. A browser
 * that keeps nothing for this site shows the system's colours.
 */
export const colorSchemeScript = `try{const scheme=localStorage.getItem('${COLOR_SCHEME_KEY}');if(scheme==='light'||scheme==='dark')document.documentElement.dataset.scheme=scheme}catch{}`;
