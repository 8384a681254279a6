import { useEffect, useState } from 'react';

/** Storage key of text that was typed before a sign-in. */
const KEPT = 'typed-before-sign-in';
/** Maximum duration of a sign-in; texts of slower sign-ins are dropped. */
const KEPT_FOR_MS = 15 * 60_000;
/** Time within which a view shows its form. */
const WAITED_MS = 10_000;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface KeptField {
  /** Identifies a control in its view. */
  readonly id: string;
  readonly value: string;
  /** State of a checkbox or a radio button. */
  readonly isChecked: boolean;
}

interface Kept {
  /** Id of the account that typed the text: another account may sign in. */
  readonly owner: string;
  /** Path and query of the view. */
  readonly place: string;
  readonly atMs: number;
  readonly fields: readonly KeptField[];
}

/**
 * Keeps typed texts and choices of the view and its popup for the return to the same address. Omits
 * secrets: passwords, codes and files.
 */
export function keepTyping(owner: string, place: string): void {
  const fields = [...controls()].map(([id, control]) => ({
    id,
    value: control.value,
    isChecked: control instanceof HTMLInputElement && control.checked,
  }));
  const kept: Kept = { owner, place, atMs: Date.now(), fields };
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Without storage, the user types the text again.
  }
}

/**
 * Fills in the values of {@link keepTyping} for this account and address once, when the fields are
 * there. `owner` is undefined until the account is known.
 */
export function useKeptTyping(owner: string | undefined, place: string): void {
  // The address at which the page was opened.
  const [opened] = useState(place);
  useEffect(() => {
    if (owner === undefined) return undefined;
    const kept = takeKept();
    if (kept?.owner !== owner || kept.place !== opened || Date.now() - kept.atMs > KEPT_FOR_MS) return undefined;
    const missing = new Map(kept.fields.map((field) => [field.id, field]));
    const fill = () => {
      for (const [id, control] of controls()) {
        const field = missing.get(id);
        if (!field) continue;
        missing.delete(id);
        restore(control, field);
      }
      if (missing.size === 0) stop();
    };
    const observer = new MutationObserver(fill);
    const timer = setTimeout(() => stop(), WAITED_MS);
    const stop = () => {
      clearTimeout(timer);
      observer.disconnect();
    };
    observer.observe(document.body, { childList: true, subtree: true });
    fill();
    return stop;
  }, [owner, opened]);
}

/** Removes the values from the storage, so that they are filled in once. */
function takeKept(): Kept | undefined {
  try {
    const text = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    return text === null ? undefined : (JSON.parse(text) as Kept);
  } catch {
    return undefined;
  }
}

/** Controls of the view and its popup without secrets, by ids that are stable across loads. */
function controls(): Map<string, Control> {
  const within = '[id=main], [role=dialog], [role=alertdialog]';
  const found = new Map<string, Control>();
  for (const control of document.querySelectorAll<Control>(`:is(${within}) :is(input, select, textarea)`)) {
    if (isSecret(control)) continue;
    const isChoice = control.type === 'checkbox' || control.type === 'radio';
    const label = control.labels?.[0]?.textContent ?? '';
    const id = JSON.stringify([control.type, control.name, isChoice ? control.value : '', label]);
    // Controls with the same id cannot be told apart: only the first is kept.
    if (!found.has(id)) found.set(id, control);
  }
  return found;
}

/** Also true for a switch, which takes effect at once and holds nothing to keep. */
function isSecret({ type, autocomplete, role }: Control): boolean {
  return (
    role === 'switch' ||
    ['password', 'file', 'hidden'].includes(type) ||
    /password|one-time-code|^cc-/.test(autocomplete)
  );
}

/** Changes a control so that React notices: by a click, or the prototype's setter and events. */
function restore(control: Control, { value, isChecked }: KeptField): void {
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
    if (control.checked !== isChecked && (isChecked || control.type === 'checkbox')) control.click();
    return;
  }
  if (control.value === value) return;
  const prototype: unknown = Object.getPrototypeOf(control);
  const setter = Object.getOwnPropertyDescriptor(prototype, 'value')?.set;
  setter?.call(control, value);
  control.dispatchEvent(new Event('input', { bubbles: true }));
  control.dispatchEvent(new Event('change', { bubbles: true }));
}
