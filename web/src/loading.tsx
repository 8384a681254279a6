import { Component, type ReactNode, use, useEffect } from 'react';
import { useLocation } from 'react-router';

/** Something that is loaded at most once. A failure lasts until the page is reloaded: see {@link LoadBoundary}. */
export class Loadable<T> {
  private loading: Promise<T> | undefined;

  /** `loaded` is what is there already: rendering need not wait for a promise then. */
  constructor(
    private readonly start: () => Promise<T>,
    private loaded?: { readonly value: T },
  ) {}

  load(): Promise<T> {
    this.loading ??= this.start().then((value) => {
      this.loaded = { value };
      return value;
    });
    return this.loading;
  }

  /** For components: suspends until the value is there, and throws the error of a failed load. */
  read(): T {
    return this.loaded ? this.loaded.value : use(this.load());
  }
}

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

interface LoadBoundaryProps {
  /** The path of what it shows; a new one is tried again. */
  readonly at: string;
  /** In place of a page whose code or data could not be loaded. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

interface LoadBoundaryState {
  readonly at: string;
  readonly hasFailed: boolean;
}

/** Shows the fallback instead of children that throw, until the path changes. */
export class LoadBoundary extends Component<LoadBoundaryProps, LoadBoundaryState> {
  override state: LoadBoundaryState = { at: this.props.at, hasFailed: false };

  static getDerivedStateFromError(): Pick<LoadBoundaryState, 'hasFailed'> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ at }: LoadBoundaryProps, state: LoadBoundaryState): LoadBoundaryState | null {
    return at === state.at ? null : { at, hasFailed: false };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

/** Reloads a page that could not be loaded, once: after a deployment an open page names files that are gone. */
export function useReloadOnce(): void {
  useEffect(() => {
    if (mayReload()) void reload();
  }, []);
}

/** Reloads the page if the server answers: the browser's own error page would take its place otherwise. Returns whether it answered. */
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

/** Once a minute, as a page that fails again after it would reload forever; never without storage to remember it in. */
function mayReload(): boolean {
  try {
    const isFirst = Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) > AGAIN_AFTER_MS;
    if (isFirst) sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return isFirst;
  } catch {
    return false;
  }
}
