import { useState } from 'react';
import { CopyButton } from './button.js';
import styles from './masked-secret.module.css';
import { IconEye, IconEyeOff } from './line-icons.js';

interface MaskedSecretProps {
  /** Name of the secret, such as 'API Key'. */
  readonly name: string;
  readonly secret: string;
  readonly masked: string;
}

/** A masked secret that can be revealed, and copied without being revealed. */
export function MaskedSecret({ name, secret, masked }: MaskedSecretProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <div className={styles.secret} role="group" aria-label={name}>
      <code className={styles.text}>{isShown ? secret : masked}</code>
      <button
        type="button"
        className={styles.eye}
        aria-pressed={isShown}
        aria-label={`Show ${name}`}
        onClick={() => setShown(!isShown)}
      >
        <Icon size={18} aria-hidden="true" />
      </button>
      <CopyButton text={secret} label={`Copy ${name}`} done={`${name} copied to clipboard!`} look="plain" />
    </div>
  );
}
