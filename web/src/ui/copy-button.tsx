import { IconCopy } from '@tabler/icons-react';
import styles from './copy-button.module.css';
import { showToast } from './toast.js';

interface CopyButtonProps {
  readonly text: string;
  /** What is said once it is copied. */
  readonly done: string;
  /** What the button does, for those who do not see what is beside it. */
  readonly label: string;
  /** `code` stands on the dark ground of a code window, `plain` anywhere else. */
  readonly look?: 'code' | 'plain';
}

/** Copies a text, and says so. Without JavaScript there is none. */
export function CopyButton({ text, done, label, look = 'code' }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast(done);
    } catch {
      // Browsers refuse it to pages without HTTPS, and where the person has said no.
      showToast('Your browser does not let this page copy. Select the text instead.');
    }
  };
  return (
    <button type="button" className={`${styles.copy} ${styles[look]}`} aria-label={label} onClick={() => void copy()}>
      <IconCopy size={18} aria-hidden="true" />
      Copy
    </button>
  );
}
