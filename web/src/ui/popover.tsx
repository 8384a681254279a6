import { Popover as Library } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import styles from './popover.module.css';

export interface PopoverProps {
  /** Names the panel for screen readers. */
  readonly label: string;
  /** The button below which the panel opens. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The panel of {@link ./popover-button}, loaded when the first panel opens. */
export function Popover({ label, anchor, onClose, children }: PopoverProps) {
  return (
    <Library.Root
      open
      onOpenChange={(isOpen, { event }) => {
        // The button closes the panel itself.
        const isOwn = event.target instanceof Node && anchor.current?.contains(event.target) === true;
        if (!isOpen && !isOwn) onClose();
      }}
    >
      <Library.Portal>
        <Library.Positioner
          className={styles.place}
          anchor={anchor}
          side="bottom"
          align="start"
          sideOffset={6}
          // Beside the button, the panel would cover the next fields.
          collisionAvoidance={{ side: 'flip', align: 'shift', fallbackAxisSide: 'none' }}
        >
          <Library.Popup className={styles.popover} aria-label={label} finalFocus={anchor}>
            {children}
          </Library.Popup>
        </Library.Positioner>
      </Library.Portal>
    </Library.Root>
  );
}
