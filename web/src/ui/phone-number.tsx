import type { ClipboardEvent } from 'react';
import { orRemoved } from './format.js';
import styles from './phone-number.module.css';
import { shownNumber } from './phone-numbers.js';

/** A phone number in groups of digits; copied as E.164, as calls of the API take it. */
export function PhoneNumber({ number }: { readonly number: string }) {
  const shown = shownNumber(number);
  const copy = (event: ClipboardEvent) => {
    if (window.getSelection()?.toString().trim() !== shown) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', number);
  };
  return (
    <span className={styles.number} dir="ltr" onCopy={copy}>
      {shown}
    </span>
  );
}

/** A number, or a word in its place if it was erased; see docs/data.md. */
export function NumberOrRemoved({ number }: { readonly number: string }) {
  return number === '' ? orRemoved(number) : <PhoneNumber number={number} />;
}
