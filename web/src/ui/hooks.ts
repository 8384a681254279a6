import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';

/** Ref for the main element: moves focus there after client-side navigation, as a page load would. */
export function useFocusOnArrival(): RefObject<HTMLElement | null> {
  const target = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // A popup that opened meanwhile keeps the focus.
    if (!document.querySelector('[role=dialog], [role=alertdialog]')) target.current?.focus({ preventScroll: true });
  }, [pathname]);
  return target;
}

const never = () => () => {};

/** False in the built page and during hydration, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
