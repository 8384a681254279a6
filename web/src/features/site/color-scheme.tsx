import { useId, useSyncExternalStore } from 'react';
import { COLOR_SCHEME_KEY } from '../../browser-storage.js';
import styles from './color-scheme.module.css';
import { showToast } from '../../ui/toast.js';
import { IconDeviceDesktop, IconMoon, IconSun } from '../../ui/line-icons.js';

type ColorScheme = 'system' | 'light' | 'dark';

const schemes = [
  ['system', 'System', IconDeviceDesktop],
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
] as const;

/** Chooses light, dark, or the system's color scheme. */
export function ColorSchemeSwitch() {
  const chosen = useSyncExternalStore<ColorScheme>(onChange, chosenColorScheme, () => 'system');
  const name = useId();
  return (
    <fieldset className={styles.switch}>
      <legend className="visually-hidden">Color scheme</legend>
      {schemes.map(([scheme, title, Icon]) => (
        <label key={scheme} className={styles.choice} title={title}>
          <input type="radio" name={name} checked={chosen === scheme} onChange={() => chooseColorScheme(scheme)} />
          <Icon size={18} aria-hidden="true" />
          <span className="visually-hidden">{title}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Switches from light to dark or back. */
export function toggleColorScheme(): void {
  const chosen = chosenColorScheme();
  const isDark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  chooseColorScheme(isDark ? 'light' : 'dark');
}

function chosenColorScheme(): ColorScheme {
  const { scheme } = document.documentElement.dataset;
  return scheme === 'light' || scheme === 'dark' ? scheme : 'system';
}

function onChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-scheme'] });
  return () => observer.disconnect();
}

/** Applies the scheme to this page and, if the browser allows storage, to later pages. */
function chooseColorScheme(scheme: ColorScheme): void {
  if (scheme === 'system') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
  try {
    if (scheme === 'system') localStorage.removeItem(COLOR_SCHEME_KEY);
    else localStorage.setItem(COLOR_SCHEME_KEY, scheme);
  } catch {
    showToast('Your browser will not remember this choice on other pages.');
  }
}
