import { type ComponentType, createContext, use, useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Code or data could not be loaded, as without a connection or after a deployment. Other errors are
 * faults of the code.
 */
export class LoadFailure extends Error {
  override readonly name = 'LoadFailure';
}

/** Title and lead of what stands in place of a page that throws this error. */
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

  /** `loaded` is what is there already: rendering need not wait for a promise then. */
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
   * For components: suspends until the value is there, and throws the {@link LoadFailure} of a
   * failed load.
   */
  read(): T {
    return this.loaded ? this.loaded.value : use(this.load());
  }
}

/** Loads all that an address needs: routes.tsx provides it, since it knows the pages. */
export const LoadPage = createContext<(pathname: string) => Promise<void>>(() => Promise.resolve());

/** The id of the element that holds the data of a built page. */
export const PAGE_DATA = 'page-data';

/** What page-data.server.ts computed for each page; undefined for an address without a page. */
const data = new Map<string, Loadable<unknown>>();

/** Where a page finds its data when it is opened from another one: '/faq' → '/faq/page.json'. */
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

/** The data of the shown page. Its type is that of the function in page-data.server.ts. */
export function usePageData<T>(): T {
  return dataOf(useLocation().pathname).read() as T;
}

/** A popup whose code is loaded when it is opened: `Popup` is its component while it is open. */
interface PopupOnDemand<Props> {
  readonly Popup: ComponentType<Props> | undefined;
  readonly open: () => void;
  readonly close: () => void;
}

/**
 * Loads a popup's code when it is opened, and again when it could not be loaded: `onFailure`
 * reports that.
 */
export function usePopupOnDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
  onFailure: () => void,
): PopupOnDemand<Props> {
  const [Popup, setPopup] = useState<ComponentType<Props>>();
  return {
    Popup,
    open: () => void load().then((loaded) => setPopup(() => loaded), onFailure),
    close: () => setPopup(undefined),
  };
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
 * Once a minute, as a page that fails again after it would reload forever; never without storage to
 * remember it in.
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
