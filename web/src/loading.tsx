import { type ComponentType, createContext, use, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Thrown when code or data cannot be loaded, as without a connection or after a deployment. Other
 * errors are faults of the code.
 */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
}

/** Title and lead in place of a page that throws this error. */
export function brokenTexts(error: unknown): { readonly title: string; readonly lead: string } {
  return error instanceof LoadFailure
    ? { title: 'This page could not be loaded.', lead: 'Check your connection and try again.' }
    : { title: 'This page could not be shown.', lead: 'Something went wrong on our side. Please try again.' };
}

/**
 * Something that is loaded at most once. A failure lasts until the page is reloaded: `use` needs
 * the same promise again.
 */
export class Loadable<T> {
  private loading: Promise<T> | undefined;

  /** `loaded` is an available value, for which rendering need not wait. */
  constructor(
    private readonly start: () => Promise<T>,
    private loaded?: { readonly value: T },
  ) {}

  /** Rejects with a {@link LoadFailure}. */
  load(): Promise<T> {
    this.loading ??= this.start().then(
      (value) => {
        this.loaded = { value };
        return value;
      },
      (cause: unknown) => {
        throw new LoadFailure('The page could not be loaded.', { cause });
      },
    );
    return this.loading;
  }

  /**
   * Suspends a component until the value is there; throws the {@link LoadFailure} of a failed load.
   */
  read(): T {
    return this.loaded ? this.loaded.value : use(this.load());
  }
}

/** Loads all code and data of an address; provided by routes.tsx, which knows the pages. */
export const LoadPage = createContext<(pathname: string) => Promise<void>>(() => Promise.resolve());

/** The id of the element that holds the data of a built page. */
export const PAGE_DATA = 'page-data';

/** Data of each page from page-data.server.ts; undefined for an address without a page. */
const data = new Map<string, Loadable<unknown>>();

/** Address of a page's data for client-side navigation: '/faq' → '/faq/page.json'. */
export const dataPath = (path: string): string => `${path === '/' ? '' : path}/page.json`;

/** Hands over data that need not be loaded. */
export function provideData(path: string, value: unknown): void {
  data.set(path, new Loadable(() => Promise.resolve(value), { value }));
}

export function dataOf(pathname: string): Loadable<unknown> {
  const path = pathname.replace(/(?<=.)\/$/, '');
  const known = data.get(path) ?? new Loadable(() => fetchData(path));
  data.set(path, known);
  return known;
}

async function fetchData(path: string): Promise<unknown> {
  const response = await fetch(dataPath(path));
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${dataPath(path)}: HTTP ${response.status}`);
  return response.json();
}

/** The data of the shown page, with the type from page-data.server.ts. */
export function usePageData<T>(): T {
  return dataOf(useLocation().pathname).read() as T;
}

/** A search whose code is loaded on opening; `Popup` is its component while it is open. */
interface SearchOnDemand<Props> {
  readonly Popup: ComponentType<Props> | undefined;
  /** Typed text, also from before the search had its field. */
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  readonly open: () => void;
  readonly close: () => void;
}

/**
 * Loads the code of a search when it is opened, and again after a failure, which `onFailure`
 * reports. Keeps text that is typed before the field has the focus.
 */
export function useSearchOnDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
  onFailure: () => void,
): SearchOnDemand<Props> {
  const [Popup, setPopup] = useState<ComponentType<Props>>();
  const [typed, setTyped] = useState('');
  /** True until the field has the focus. */
  const [isOpening, setOpening] = useState(false);
  const close = () => {
    setOpening(false);
    setPopup(undefined);
  };
  const opening = useRef(false);
  const open = () => {
    if (!Popup && !isOpening) setTyped('');
    setOpening(true);
    opening.current = true;
    load().then(
      (loaded) => {
        // Escape may have closed the search meanwhile.
        if (opening.current) setPopup(() => loaded);
      },
      () => {
        close();
        onFailure();
      },
    );
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (key === 'Escape') close();
    else if (key === 'Backspace') setTyped((text) => text.slice(0, -1));
    else if (key.length === 1) setTyped((text) => text + key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    if (!isOpening) return;
    const focus = ({ target }: FocusEvent) => target instanceof HTMLInputElement && setOpening(false);
    addEventListener('keydown', press, true);
    addEventListener('focusin', focus);
    return () => {
      removeEventListener('keydown', press, true);
      removeEventListener('focusin', focus);
      opening.current = false;
    };
  }, [isOpening]);
  return { Popup, typed, setTyped, open, close };
}

/**
 * Reloads a page that could not be loaded, once: after a deployment an open page names files that
 * are gone.
 */
export function useReloadOnce(isOn: boolean): void {
  useEffect(() => {
    if (isOn && mayReload()) void reload();
  }, [isOn]);
}

/**
 * Reloads the page if the server answers: the browser's own error page would take its place
 * otherwise. Returns whether it answered.
 */
export async function reload(): Promise<boolean> {
  const answer = fetch(window.location.href, { method: 'HEAD', cache: 'no-store' });
  const isReachable = await answer.then(
    ({ status }) => status < 500,
    () => false,
  );
  if (isReachable) window.location.reload();
  return isReachable;
}

const RELOADED_AT = 'reloaded-at';
const AGAIN_AFTER_MS = 60_000;

/**
 * Allows a reload once a minute, as a page that fails again would reload forever; never without
 * storage for the time.
 */
function mayReload(): boolean {
  try {
    const isFirst = Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) > AGAIN_AFTER_MS;
    if (isFirst) sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return isFirst;
  } catch {
    return false;
  }
}
