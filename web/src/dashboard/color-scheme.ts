import { COLOR_SCHEME_KEY } from '../color-scheme.js';
import { showToast } from '../ui/toast.js';

export type ColorScheme = 'system' | 'light' | 'dark';

/** The colours that this page is shown in. */
export function currentColorScheme(): ColorScheme {
  const { scheme } = document.documentElement.dataset;
  return scheme === 'light' || scheme === 'dark' ? scheme : 'system';
}

/** Shows this and every later page in these colours; this page alone where the browser keeps nothing. */
export function chooseColorScheme(scheme: ColorScheme): void {
  if (scheme === 'system') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
  try {
    if (scheme === 'system') localStorage.removeItem(COLOR_SCHEME_KEY);
    else localStorage.setItem(COLOR_SCHEME_KEY, scheme);
  } catch {
    showToast('Your browser does not keep this choice for other pages.');
  }
}
