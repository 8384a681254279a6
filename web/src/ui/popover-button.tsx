import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { IconChevronDown } from './line-icons.js';
import styles from './popover.module.css';
import type { PopoverProps } from './popover.js';

const LoadedPopover = lazy(async () => ({
  default: await import('./popover.js').then(
    (loaded) => loaded.Popover,
    () => PlainPopover,
  ),
}));

/** Shown when the library cannot be loaded, as without a connection. */
function PlainPopover({ label, children }: PopoverProps) {
  return (
    <div className={styles.popover} role="group" aria-label={label}>
      {children}
    </div>
  );
}

interface PopoverButtonProps {
  /** Names the button; without a `value` it is also the button's text. */
  readonly label: string;
  /** The chosen value. With a value, the label stands above, as for a field. */
  readonly value?: string;
  /** `close` returns the focus to the button. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a panel of choices below it. */
export function PopoverButton({ label, value, children }: PopoverButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <div className={styles.field}>
      {value !== undefined && (
        <span className={styles.label} aria-hidden="true">
          {label}
        </span>
      )}
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={value === undefined ? label : `${label}: ${value}`}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.value}>{value ?? label}</span>
        <IconChevronDown size={18} aria-hidden="true" />
      </button>
      {isOpen && (
        <Suspense>
          <LoadedPopover label={label} anchor={button} onClose={close}>
            {children(close)}
          </LoadedPopover>
        </Suspense>
      )}
    </div>
  );
}
