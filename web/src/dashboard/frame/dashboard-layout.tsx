import { use, useEffect, useState } from 'react';
import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Outlet, useLocation } from 'react-router';
import { recordMessages, returnPath, signInNotice, withReturnPath } from '#contract/sign-in.js';
import { welcomeEmailFailed } from '#contract/account.js';
import { creditsQuery, sendWelcomeEmail, sessionQuery, welcomeQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { HiddenPageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { rememberSignedIn } from '../../browser-storage.js';
import { BrokenPart } from '../../ui/broken-part.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { useFocusOnArrival, useHydrated } from '../../ui/hooks.js';
import { useKeptFocus } from '../../ui/kept-focus.js';
import { useKeptTyping } from '../../ui/kept-typing.js';
import { Boundary, type Broken } from '../../ui/boundary.js';
import { brokenTexts, LoadFailure, LoadPage, reload, useReloadOnce } from '../../loading.js';
import { PurchaseReturn } from '../../features/purchase/purchase-return.js';
import { Notice } from '../../ui/surface.js';
import { View } from '../../ui/view.js';
import { SessionContext, TablePageProvider, useSession } from './dashboard-context.js';
import { DashboardHeader } from './dashboard-header.js';
import styles from './dashboard-layout.module.css';
import { DashboardMenu } from './dashboard-menu.js';
import { FailureNotice, FailureScope, SeveralFailures } from '../failures/failures.js';
import { LiveEventsProvider, useLiveEvent } from '../live/live-events.js';
import { NotificationsProvider } from '../notifications/notifications.js';
import { hasOwnTitle, titleAt, views } from './views.js';
import parts from '../records/dashboard-parts.module.css';

/** Frame that all views of the dashboard share. */
export default function DashboardLayout() {
  const [client] = useState(createQueryClient);
  const { pathname } = useLocation();
  return (
    <QueryClientProvider client={client}>
      {!hasOwnTitle(pathname) && <HiddenPageMeta title={titleAt(pathname)} />}
      <Entrance />
    </QueryClientProvider>
  );
}

/**
 * The built page has the frame already, because the server redirects visitors without a session;
 * `/auth/me` decides.
 */
function Entrance() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (session !== undefined) rememberSignedIn(session !== null);
  }, [session]);
  if (session || (session === undefined && !error))
    return (
      <SessionContext value={session}>
        <LiveEventsProvider isOn={session !== undefined}>
          <TablePageProvider>
            <FailureScope>
              <NotificationsProvider>
                <Shell />
              </NotificationsProvider>
            </FailureScope>
          </TablePageProvider>
        </LiveEventsProvider>
      </SessionContext>
    );
  return (
    <main className={styles.outside}>
      {session === null || (error && failureOf(error).kind === 'session') ? (
        <>
          <p role="status">Please log in to view the dashboard.</p>
          <ButtonLink
            to={withReturnPath(paths.login, returnPath(`${pathname}${search}`))}
            reloadDocument
            look="primary"
          >
            Login
          </ButtonLink>
        </>
      ) : (
        <FailureNotice error={error} what="Your dashboard could not be loaded." onRetry={() => void refetch()} />
      )}
    </main>
  );
}

/** Keeps the shown credits current; used once per page. */
function useLiveCredits(): void {
  const client = useQueryClient();
  useLiveEvent('balance', (totals) => {
    client.setQueryData(creditsQuery.queryKey, (known) => known && { ...known, ...totals });
  });
  const refetch = () => void client.invalidateQueries({ queryKey: creditsQuery.queryKey });
  useLiveEvent('live', refetch);
  useLiveEvent('many', refetch);
}

function Shell() {
  const main = useFocusOnArrival();
  useKeptFocus();
  const client = useQueryClient();
  const session = useSession();
  const isHydrated = useHydrated();
  const { pathname, search } = useLocation();
  useKeptTyping(isHydrated ? session?.id : undefined, `${pathname}${search}`);
  useLiveCredits();
  useLoadingAhead(session !== undefined);
  // Another read of the session shows whether it was signed out elsewhere or has expired.
  useLiveEvent('ended', () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }));
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <DashboardMenu />
      <div className={styles.page}>
        <Boundary fallback={BrokenPart}>
          <DashboardHeader />
        </Boundary>
        <main id="main" ref={main} className={styles.main} tabIndex={-1}>
          {session && <SignInNotices />}
          <SeveralFailures />
          {isHydrated ? (
            <Boundary at={`${pathname}${search}`} fallback={BrokenView}>
              <Outlet />
            </Boundary>
          ) : (
            <ViewSkeleton />
          )}
        </main>
      </div>
      {session && (
        <Boundary fallback={BrokenPart}>
          <PurchaseReturn />
        </Boundary>
      )}
    </div>
  );
}

/** Placeholder of a view before its code runs. The header shows 'Loading...'. */
function ViewSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  );
}

/** Replaces a view that cannot be loaded or shown. */
function BrokenView({ error, retry }: Broken) {
  const [isUnreachable, setUnreachable] = useState(false);
  const isNotLoaded = error instanceof LoadFailure;
  useReloadOnce(isNotLoaded);
  useEffect(() => {
    if (!isNotLoaded) return undefined;
    const onOnline = () => void reload();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [isNotLoaded]);
  const tryAgain = async () => {
    if (isNotLoaded) setUnreachable(!(await reload()));
    else retry();
  };
  return (
    <div role="alert">
      <View {...brokenTexts(error)}>
        {isUnreachable && <p>Pennytext could not be reached.</p>}
        <p>
          <Button look="primary" onClick={() => void tryAgain()}>
            Try again
          </Button>
        </p>
      </View>
    </div>
  );
}

type Load = (loadPage: (pathname: string) => Promise<void>) => Promise<unknown>;

/** Code of the other views and popups, to load ahead. */
const ahead: readonly Load[] = [
  ...views.map(
    ([, to]): Load =>
      (loadPage) =>
        loadPage(to),
  ),
  () => import('../../ui/popup.js'),
  () => import('../../ui/toast-view.js'),
  () => import('./command-palette.js'),
];

/**
 * Loads the other views while the browser is idle, so that they open without a connection too: one
 * at a time, so that the page stays responsive.
 */
function useLoadingAhead(isOn: boolean): void {
  const loadPage = use(LoadPage);
  const [loaded, setLoaded] = useState(0);
  useEffect(() => {
    const load = ahead[loaded];
    if (!isOn || !load || isConnectionSpared()) return undefined;
    // A failed view reports its failure when it is opened.
    return whenIdle(async () => {
      await Promise.allSettled([load(loadPage)]);
      setLoaded(loaded + 1);
    });
  }, [isOn, loaded, loadPage]);
}

/**
 * Whether the browser asks pages to load little, or the connection is slow: then each view loads
 * its code when it is opened. Browsers without the Network Information API
 * (https://wicg.github.io/netinfo/) count as fast.
 */
function isConnectionSpared(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  if (typeof connection !== 'object' || connection === null) return false;
  const type: unknown = Reflect.get(connection, 'effectiveType');
  return Reflect.get(connection, 'saveData') === true || (typeof type === 'string' && type !== '4g');
}

const IDLE_AFTER_MS = 500;

/** Safari has no idle callbacks. Returns a function that cancels the call. */
function whenIdle(run: () => Promise<void>): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(() => void run(), IDLE_AFTER_MS);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(() => void run());
  return () => cancelIdleCallback(request);
}

const creditsMessage = `Failed to create credits record: ${recordMessages.credits}`;

/**
 * Problems of a successful first sign-in. The server reports them, never the address.
 */
function SignInNotices() {
  return (
    <>
      <CreditsNotice />
      <MailNotice />
    </>
  );
}

/**
 * Shown after the first sign-in only, until the credits have been read, because reading creates
 * them.
 */
function CreditsNotice() {
  const [isOn, setOn] = useState(hasSignInNotice);
  const { data } = useQuery(creditsQuery);
  useEffect(forgetSignInNotice, []);
  if (!isOn) return null;
  return (
    <div className={styles.notice}>
      {data ? (
        <Notice kind="good" role="status">
          <div className={parts.failure}>
            <p>Your free credits were added.</p>
            <Button onClick={() => setOn(false)}>Close</Button>
          </div>
        </Notice>
      ) : (
        <Notice kind="bad" role="alert">
          {creditsMessage}
        </Notice>
      )}
    </div>
  );
}

const { cookie, path, value } = signInNotice;

function hasSignInNotice(): boolean {
  return document.cookie.split('; ').includes(`${cookie}=${value}`);
}

/** Deletes the cookie, so that a reload does not show the notice again. */
function forgetSignInNotice(): void {
  document.cookie = `${cookie}=; path=${path}; max-age=0`;
}

/** Shown while the welcome email cannot be sent, also if it fails while the page is open. */
function MailNotice() {
  const client = useQueryClient();
  const { data } = useQuery(welcomeQuery);
  const refetch = () => client.invalidateQueries({ queryKey: welcomeQuery.queryKey });
  const { mutate, isPending, isSuccess, reset } = useMutation({ mutationFn: sendWelcomeEmail, onSuccess: refetch });
  useLiveEvent('live', () => void refetch());
  useLiveEvent('welcome', () => {
    reset();
    void refetch();
  });
  if (!isSuccess && !data?.emailFailed) return null;
  return (
    <div className={styles.notice}>
      <Notice kind={isSuccess ? 'good' : 'bad'} role={isSuccess ? 'status' : 'alert'}>
        <div className={parts.failure}>
          <p>{isSuccess ? 'The welcome email is on its way.' : welcomeEmailFailed}</p>
          {isSuccess ? (
            <Button onClick={reset}>Close</Button>
          ) : (
            <Button disabled={isPending} onClick={() => mutate()}>
              Try again
            </Button>
          )}
        </div>
      </Notice>
    </div>
  );
}

const RETRIES_MAX = 2;

/** The dashboard's query cache. A call that fails for an ended session signs the page out. */
function createQueryClient(): QueryClient {
  const noticeEnd = (error: unknown): void => {
    if (failureOf(error).kind !== 'session') return;
    // A pending answer dates from before the session ended.
    void client.cancelQueries({ queryKey: sessionQuery.queryKey }, { silent: true });
    client.setQueryData(sessionQuery.queryKey, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: noticeEnd }),
    mutationCache: new MutationCache({ onError: noticeEnd }),
    defaultOptions: {
      queries: {
        // Live events report changes.
        staleTime: Infinity,
        // Without a connection the page shows the failure at once, and loads again on reconnection.
        retry: (failures, error) => failures < RETRIES_MAX && isPassing(error) && navigator.onLine,
        // Without a connection, calls fail visibly instead of pausing.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

function isPassing(error: unknown): boolean {
  const { kind } = failureOf(error);
  return kind === 'connection' || kind === 'broken';
}
