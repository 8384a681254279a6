const NAME = '__earlyClick';

/**
 * Runs in every page before its code, as the page is shown before it is hydrated: remembers the button that
 * was pressed last. Links, and buttons that submit a form, work without code.
 */
export const earlyClickScript =
  `{let b;const l=({target:t})=>{b=t instanceof Element?t.closest('button[type=button]'):null};` +
  `addEventListener('click',l,true);globalThis.${NAME}=()=>{removeEventListener('click',l,true);return b}}`;

/**
 * Returns the button that was pressed so far, to be pressed again when it works; from now on React answers
 * presses itself.
 */
export function takeEarlyClick(): HTMLButtonElement | undefined {
  const take: unknown = Reflect.get(globalThis, NAME);
  const pressed: unknown = typeof take === 'function' ? take() : undefined;
  return pressed instanceof HTMLButtonElement ? pressed : undefined;
}
