import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { Boundary } from './boundary.js';
import { BrokenPart } from './broken-part.js';
import popup from './dialog.module.css';
import styles from './palette.module.css';
import { IconSearch } from './line-icons.js';

/**
 * Props of a palette's `Autocomplete.Root`: the list stays open, the first match is highlighted.
 */
export const paletteProps = { open: true, inline: true, autoHighlight: 'always', keepHighlight: true } as const;

interface PaletteProps {
  /** Names the dialog for screen readers. */
  readonly label: string;
  /** Element to focus after closing; by default the element that had the focus before. */
  readonly opener?: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  /** Called before another try after a failure. */
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog with a search field and a list below it. If these throw, the dialog offers another try;
 * the page stays.
 */
export function Palette({ label, opener, onClose, onRetry, children }: PaletteProps) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={popup.backdrop} />
        <Dialog.Popup className={styles.palette} aria-label={label} {...(opener && { finalFocus: opener })}>
          <Boundary fallback={BrokenPart} onRetry={onRetry}>
            {children}
          </Boundary>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PaletteInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
}

/** The search field of a palette, within its `Autocomplete.Root`. */
export function PaletteInput({ label, placeholder, closeLabel, onClose }: PaletteInputProps) {
  return (
    <div className={styles.search}>
      <IconSearch size={20} aria-hidden="true" />
      <Autocomplete.Input
        className={styles.input}
        aria-label={label}
        placeholder={placeholder}
        // The library's Escape only clears the text at first.
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      />
      <Dialog.Close className={styles.close} aria-label={closeLabel}>
        Esc
      </Dialog.Close>
    </div>
  );
}
