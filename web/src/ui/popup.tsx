import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.js';
import styles from './dialog.module.css';
import { IconX } from './line-icons.js';

interface PopupProps {
  readonly kind: 'dialog' | 'question' | 'drawer';
  readonly title: string;
  readonly closeTitle: string;
  readonly onClose: () => void;
  /** Returns the element to focus after closing; by default the previously focused element. */
  readonly focusAfter?: (() => HTMLElement | null) | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The popups of dialog.tsx, loaded when the first popup opens. */
export function Popup({ kind, title, closeTitle, onClose, focusAfter, actions, children }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const Root = kind === 'question' ? AlertDialog.Root : Dialog.Root;
  // A field comes first; without one, Enter must not confirm a question.
  const focus = () => (kind === 'question' && !popup.current?.querySelector('input, select') ? close.current : true);
  return (
    <Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          ref={popup}
          className={kind === 'drawer' ? styles.drawer : styles.dialog}
          initialFocus={focus}
          finalFocus={focusAfter}
        >
          {kind === 'drawer' ? (
            <>
              <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
              <Dialog.Close className={styles.close} aria-label={closeTitle}>
                <IconX size={24} aria-hidden="true" />
              </Dialog.Close>
              {children}
            </>
          ) : (
            <>
              <Dialog.Title className={styles.title}>{title}</Dialog.Title>
              <div className={styles.text}>{children}</div>
              <div className={styles.actions}>
                {actions}
                <Dialog.Close ref={close} render={<Button>{closeTitle}</Button>} />
              </div>
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Root>
  );
}
