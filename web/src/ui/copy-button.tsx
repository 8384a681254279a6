import { IconCopy } from '@tabler/icons-react';
import styles from './copy-button.module.css';
import { showToast } from './toast.js';

interface CopyButtonProps {
  readonly text: string;
  /** Announced after copying. */
  readonly done: string;
  /** Accessible name of the button. */
  readonly label: string;
  /** `code` suits the dark code window, `plain` everything else. */
  readonly look?: 'code' | 'plain';
}

/** Copies a text and confirms it in a toast. */
export function CopyButton({ text, done, label, look = 'code' }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast(done);
    } catch {
      // Browsers block copying without HTTPS or permission.
      showToast('Your browser does not allow copying here. Select the text instead.');
    }
  };
  return (
    <button type="button" className={`${styles.copy} ${styles[look]}`} aria-label={label} onClick={() => void copy()}>
      <IconCopy size={18} aria-hidden="true" />
      Copy
    </button>
  );
}
