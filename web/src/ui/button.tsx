import type { ComponentProps, MouseEvent } from 'react';
import { Link } from 'react-router';
import styles from './button.module.css';
import { showToast } from './toast.js';
import { IconCopy } from './line-icons.js';

interface Look {
  /** `primary` is the main action of a screen; `danger` removes something permanently. */
  readonly look?: 'primary' | 'danger' | 'plain';
  /** Fills the available width. */
  readonly wide?: boolean;
}

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'className'> {
  /** Unusable now, such as while an action is under way; the button keeps the focus. */
  readonly disabled?: boolean;
  /** False before the page's code runs: the browser would send a form by itself. */
  readonly isAlive?: boolean;
}

/**
 * A button. A disabled button does nothing and submits nothing, but can have the focus: browsers
 * take the focus from an element with the attribute `disabled`, and a keyboard starts at the top
 * again.
 */
export function Button({
  look = 'plain',
  wide = false,
  disabled = false,
  isAlive = true,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={!isAlive}
      aria-disabled={disabled || undefined}
      onClick={disabled ? refuse : onClick}
      className={classOf(look, wide)}
    />
  );
}

/** Keeps a form from being submitted, also by Enter in one of its fields. */
function refuse(event: MouseEvent): void {
  event.preventDefault();
}

/**
 * A link that looks like a button. Use `reloadDocument` for addresses that the router does not
 * know.
 */
export function ButtonLink({
  look = 'plain',
  wide = false,
  ...rest
}: Look & Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...rest} className={classOf(look, wide)} />;
}

function classOf(look: 'primary' | 'danger' | 'plain', isWide: boolean): string {
  return `${styles.button} ${look === 'plain' ? '' : styles[look]} ${isWide ? styles.wide : ''}`.trim();
}

interface CopyButtonProps {
  readonly text: string;
  /** Announced after copying. */
  readonly done: string;
  /** Accessible name of the button. */
  readonly label: string;
  /** `code` suits the dark code window, `button` stands among buttons, `plain` everywhere else. */
  readonly look?: 'code' | 'plain' | 'button';
  /** Text beside the icon. */
  readonly title?: string;
}

/** Copies a text and confirms it in a toast. */
export function CopyButton({ text, done, label, look = 'code', title = 'Copy' }: CopyButtonProps) {
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
    <button
      type="button"
      className={look === 'button' ? styles.button : `${styles.copy} ${styles[look]}`}
      aria-label={label}
      onClick={() => void copy()}
    >
      <IconCopy size={18} aria-hidden="true" />
      {title}
    </button>
  );
}
