import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import styles from './button.module.css';

interface Look {
  /** `primary` is the main action of a screen. */
  readonly look?: 'primary' | 'plain';
  /** Fills the available width. */
  readonly wide?: boolean;
}

export function Button({ look = 'plain', wide = false, ...rest }: Look & Omit<ComponentProps<'button'>, 'className'>) {
  return <button type="button" {...rest} className={classOf(look, wide)} />;
}

/** A link that looks like a button. Use `reloadDocument` for addresses that the router does not know. */
export function ButtonLink({
  look = 'plain',
  wide = false,
  ...rest
}: Look & Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...rest} className={classOf(look, wide)} />;
}

function classOf(look: 'primary' | 'plain', isWide: boolean): string {
  return `${styles.button} ${look === 'primary' ? styles.primary : ''} ${isWide ? styles.wide : ''}`.trim();
}
