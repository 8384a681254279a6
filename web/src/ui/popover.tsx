import { Popover as Library } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import styles from './popover.module.css';

export interface PopoverProps {
  /** Names it for screen readers. */
  readonly label: string;
  /** The button that it belongs to, below which it opens. */
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The panel of {@link ./popover-button}, loaded when the first one opens. */
export function Popover({ label, anchor, onClose, children }: PopoverProps) {
  return (
    <Library.Root
      open
      onOpenChange={(isOpen, { event }) => {
        // The button turns it off itself.
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
          // Beside the button it would cover the fields that may be wanted next.
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
