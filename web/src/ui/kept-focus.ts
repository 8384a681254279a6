import { useEffect } from 'react';

/** Maximum of remembered elements that had the focus. */
const KEPT_MAX = 30;

/**
 * Keeps the focus on the page when the focused element is removed, as after a save, a dismissal or
 * a closed popup; browsers then start at the top again. Focuses the previously focused element, or
 * else the nearest heading around a removed element.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let trails: readonly (readonly Element[])[] = [];
    let frame: number | undefined;
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element) trails = [trailOf(target), ...trails].slice(0, KEPT_MAX);
    };
    const forget = ({ target }: FocusEvent) => {
      // A click beside an element takes the focus from it on purpose.
      queueMicrotask(() => {
        if (isLost() && target instanceof Element && target.isConnected) trails = [];
      });
    };
    const restore = () => {
      frame = undefined;
      if (isLost() && trails[0]?.[0]?.isConnected === false) successorOf(trails)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (frame !== undefined || !isLost() || trails[0]?.[0]?.isConnected !== false) return;
      // A popup that closes, and an arrival at another view, place the focus themselves.
      frame = requestAnimationFrame(() => (frame = requestAnimationFrame(restore)));
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', forget);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', forget);
      observer.disconnect();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, []);
}

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** An element and its ancestors, innermost first. */
function trailOf(element: Element): readonly Element[] {
  const trail: Element[] = [];
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) trail.push(one);
  return trail;
}

/** The element to which the focus moves. */
function successorOf(trails: readonly (readonly Element[])[]): HTMLElement | null {
  for (const trail of trails) {
    const [element] = trail;
    if (element instanceof HTMLElement && element.isConnected) return element;
    for (const around of trail) {
      const heading = around.isConnected ? around.querySelector<HTMLElement>('h1, h2, h3') : null;
      if (!heading) continue;
      heading.tabIndex = -1;
      return heading;
    }
  }
  return document.querySelector('main');
}
