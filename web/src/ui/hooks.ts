import { type RefObject, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { type Location, NavigationType, useLocation, useNavigationType } from 'react-router';

/**
 * Ref for the main element: moves focus there after client-side navigation, as a page load would.
 */
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

/**
 * Ref for the main form of a view: the first empty field among `fields` takes the focus when the
 * form appears, unless another element of the view has the focus. Touch screens are excluded,
 * because the keyboard would cover the view.
 */
export function useFieldFocus(fields = 'input:not([type=radio]), textarea'): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (window.matchMedia('(hover: none)').matches) return undefined;
    // Runs after the arrival has placed the focus.
    const timer = setTimeout(() => {
      if (document.activeElement?.matches('body, main') === false) return;
      const found = form.current?.querySelectorAll<Typed>(fields) ?? [];
      [...found].find(({ value }) => value === '')?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [fields]);
  return form;
}

type Typed = HTMLInputElement | HTMLTextAreaElement;

const never = () => () => {};

/** False in the built page and during hydration, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

const POSITIONS = 'scroll-positions';
const POSITIONS_MAX = 100;

/** Positions by entry of the browser's history; kept for the tab, so that they survive a reload. */
function storedPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(POSITIONS) ?? '[]') as [string, number][]);
  } catch {
    return new Map();
  }
}

const entryOf = ({ key, pathname, hash }: Location): string => `${key} ${pathname}${hash}`;

/**
 * Scrolls as page loads do: a new page starts at its top or at the element of the fragment, and an
 * earlier page where the user left it. Browsers do this themselves, but before the page is there.
 */
export function useScrollPosition(): void {
  const location = useLocation();
  const how = useNavigationType();
  const shown = useRef(location);
  const positions = useRef<Map<string, number>>(undefined);
  useEffect(() => {
    const known = (positions.current ??= storedPositions());
    const save = () => known.set(entryOf(shown.current), window.scrollY);
    const leave = () => {
      // The browser restores the position after a reload, and when it loads an earlier page again.
      history.scrollRestoration = 'auto';
      try {
        sessionStorage.setItem(POSITIONS, JSON.stringify([...known].slice(-POSITIONS_MAX)));
      } catch {
        // Without storage only a reload loses the positions.
      }
    };
    const arrive = () => {
      history.scrollRestoration = 'manual';
    };
    arrive();
    // Readers also scroll before the code of the page is loaded.
    save();
    window.addEventListener('scroll', save, { passive: true });
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', arrive);
    return () => {
      window.removeEventListener('scroll', save);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', arrive);
    };
  }, []);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = location;
    if (before === location) return;
    // An entry without a state belongs to a link to a fragment.
    const position =
      how === NavigationType.Pop && history.state !== null ? positions.current?.get(entryOf(location)) : undefined;
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (position !== undefined) window.scrollTo(0, position);
    else if (target) target.scrollIntoView();
    // Filters in the address change only a part of the page.
    else if (before.pathname !== location.pathname || before.search === location.search) window.scrollTo(0, 0);
  }, [location, how]);
}
