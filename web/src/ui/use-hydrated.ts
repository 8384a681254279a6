import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False in the built page and while the browser takes it over, then true: for what only the browser knows. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
