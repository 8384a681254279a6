import { useId, useState } from 'react';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { chooseColorScheme, currentColorScheme } from '../color-scheme.js';
import styles from './color-scheme-switch.module.css';

const schemes = [
  ['system', 'System', IconDeviceDesktop],
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
] as const;

/** Whether pages are light, dark, or as the system has it. */
export function ColorSchemeSwitch() {
  const [chosen, setChosen] = useState(currentColorScheme);
  const name = useId();
  return (
    <fieldset className={styles.switch}>
      <legend className="visually-hidden">Colours</legend>
      {schemes.map(([scheme, title, Icon]) => (
        <label key={scheme} className={styles.choice} title={title}>
          <input
            type="radio"
            name={name}
            checked={chosen === scheme}
            onChange={() => {
              setChosen(scheme);
              chooseColorScheme(scheme);
            }}
          />
          <Icon size={18} aria-hidden="true" />
          <span className="visually-hidden">{title}</span>
        </label>
      ))}
    </fieldset>
  );
}
