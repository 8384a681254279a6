const NAME = '__earlyClick';

/**
 * Runs in every page before hydration, and remembers the button that was pressed last. Links and
 * submit buttons work without code.
 */
export const earlyClickScript =
  `{let b;const l=({target:t})=>{b=t instanceof Element?t.closest('button[type=button]'):null};` +
  `addEventListener('click',l,true);globalThis.${NAME}=()=>{removeEventListener('click',l,true);return b}}`;

/**
 * Returns the button that was pressed before hydration, to press it again; stops the recording.
 */
export function takeEarlyClick(): HTMLButtonElement | undefined {
  const take: unknown = Reflect.get(globalThis, NAME);
  const pressed: unknown = typeof take === 'function' ? take() : undefined;
  return pressed instanceof HTMLButtonElement ? pressed : undefined;
}
