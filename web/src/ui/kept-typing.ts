import { useEffect, useState } from 'react';

/** Where a tab keeps what was typed before a sign-in. */
const KEPT = 'typed-before-sign-in';
/** A sign-in that took longer has been given up. */
const KEPT_FOR_MS = 15 * 60_000;
/** A view has shown its form by then. */
const WAITED_MS = 10_000;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface KeptField {
  /** Names a control among the others of its view. */
  readonly id: string;
  readonly value: string;
  /** Of a checkbox or a radio button. */
  readonly isChecked: boolean;
}

interface Kept {
  /** Id of the account that it was typed for: another one may sign in. */
  readonly owner: string;
  /** Path and query of the view. */
  readonly place: string;
  readonly atMs: number;
  readonly fields: readonly KeptField[];
}

/**
 * Keeps what is typed and chosen in the view, and in a popup over it, for the return to the same
 * address. Never a secret: passwords, codes and files are left out.
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
    // Without storage it has to be typed again.
  }
}

/**
 * Fills in once what {@link keepTyping} kept for this account and address, as soon as its fields are
 * there. The account is undefined until it is known.
 */
export function useKeptTyping(owner: string | undefined, place: string): void {
  // The address that the page was opened at.
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

/** Takes it out of the storage, so that it is filled in once. */
function takeKept(): Kept | undefined {
  try {
    const text = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    return text === null ? undefined : (JSON.parse(text) as Kept);
  } catch {
    return undefined;
  }
}

/** The controls of the view and of its popup that hold no secret, by ids that another load has too. */
function controls(): Map<string, Control> {
  const within = '[id=main], [role=dialog], [role=alertdialog]';
  const found = new Map<string, Control>();
  for (const control of document.querySelectorAll<Control>(`:is(${within}) :is(input, select, textarea)`)) {
    if (isSecret(control)) continue;
    const isChoice = control.type === 'checkbox' || control.type === 'radio';
    const label = control.labels?.[0]?.textContent ?? '';
    const id = JSON.stringify([control.type, control.name, isChoice ? control.value : '', label]);
    // Of several with the same words, none can be told from the others.
    if (!found.has(id)) found.set(id, control);
  }
  return found;
}

/** Also what takes effect at once, as a switch does: it holds nothing to keep. */
function isSecret({ type, autocomplete, role }: Control): boolean {
  return (
    role === 'switch' ||
    ['password', 'file', 'hidden'].includes(type) ||
    /password|one-time-code|^cc-/.test(autocomplete)
  );
}

/** As a person would, so that React notices: it follows the prototype's setters. */
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
