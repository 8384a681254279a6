import type { ClipboardEvent } from 'react';
import { orRemoved, recipientOf } from './format.js';
import styles from './phone-number.module.css';
import { shownNumber } from './phone-numbers.js';

/**
 * A phone number in groups of digits, copied as E.164, as calls of the API take it; or an address of email. The
 * channel of a message's recipient follows its number: '+1 415 555 2671 by WhatsApp'.
 */
export function PhoneNumber({ number }: { readonly number: string }) {
  const { address, way } = recipientOf(number);
  const shown = shownNumber(address);
  const copy = (event: ClipboardEvent) => {
    if (window.getSelection()?.toString().trim() !== shown) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', address);
  };
  return (
    <>
      <span className={address.includes('@') ? styles.email : styles.number} dir="ltr" onCopy={copy}>
        {shown}
      </span>
      {way !== undefined && ` ${way}`}
    </>
  );
}

/** A number, or a word in its place if it was erased; see docs/data.md. */
export function NumberOrRemoved({ number }: { readonly number: string }) {
  return number === '' ? orRemoved(number) : <PhoneNumber number={number} />;
}
