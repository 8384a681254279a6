import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/** For what an address leads to: takes the focus when a link has led there, as after a page load, so that the keyboard goes on from it. */
export function useFocusOnArrival(): RefObject<HTMLElement | null> {
  const target = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    target.current?.focus({ preventScroll: true });
  }, [pathname]);
  return target;
}
