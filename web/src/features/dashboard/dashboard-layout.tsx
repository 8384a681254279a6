import { useEffect, useState } from 'react';
import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { recordMessages, returnPath, withReturnPath } from '#contract/sign-in.js';
import { welcomeEmailFailed } from '#contract/account.js';
import { creditsQuery, sendWelcomeEmail, sessionQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { HiddenPageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { rememberSignedIn } from '../../browser-storage.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { useFocusOnArrival, useHydrated } from '../../ui/hooks.js';
import { loadPage } from '../../routes.js';
import { LoadBoundary, reload, useReloadOnce } from '../../loading.js';
import { PurchaseReturn } from '../purchase/purchase-return.js';
import { Notice } from '../../ui/surface.js';
import { View } from '../../ui/view.js';
import { SessionContext, TablePageProvider, useSession } from './dashboard-context.js';
import { DashboardHeader } from './dashboard-header.js';
import styles from './dashboard-layout.module.css';
import { DashboardMenu } from './dashboard-menu.js';
import { FailureNotice, FailureScope, SeveralFailures } from './failures.js';
import { LiveEventsProvider, useLiveEvent } from './live-events.js';
import { titleAt, views } from './views.js';
import parts from './dashboard-parts.module.css';

/** What all views of the dashboard share. */
export default function DashboardLayout() {
  const [client] = useState(createQueryClient);
  const { pathname } = useLocation();
  return (
    <QueryClientProvider client={client}>
      <HiddenPageMeta title={titleAt(pathname)} />
      <Entrance />
    </QueryClientProvider>
  );
}

/** The built page has the frame already, because the server redirects visitors without a session; `/auth/me` decides. */
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
              <Shell />
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
  const client = useQueryClient();
  const session = useSession();
  const isHydrated = useHydrated();
  const { pathname } = useLocation();
  useLiveCredits();
  useLoadingAhead(session !== undefined);
  // Signed out elsewhere or expired: reading the session again shows which.
  useLiveEvent('ended', () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }));
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <DashboardMenu />
      <div className={styles.page}>
        <DashboardHeader />
        <main id="main" ref={main} className={styles.main} tabIndex={-1}>
          {session && <SignInNotice />}
          <SeveralFailures />
          {isHydrated ? (
            <LoadBoundary at={pathname} fallback={<ViewNotLoaded />}>
              <Outlet />
            </LoadBoundary>
          ) : (
            <p role="status">Loading...</p>
          )}
        </main>
      </div>
      {session && <PurchaseReturn />}
    </div>
  );
}

/** In place of a view whose code could not be loaded. */
function ViewNotLoaded() {
  const [isUnreachable, setUnreachable] = useState(false);
  useReloadOnce();
  useEffect(() => {
    const retry = () => void reload();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);
  return (
    <div role="alert">
      <View title="This page could not be loaded." lead="Check your connection and try again.">
        {isUnreachable && <p>Pennytext could not be reached.</p>}
        <p>
          <Button look="primary" onClick={() => void reload().then((isReachable) => setUnreachable(!isReachable))}>
            Try again
          </Button>
        </p>
      </View>
    </div>
  );
}

/** The other views and popups. */
const ahead: readonly (() => Promise<unknown>)[] = [
  ...views.map(
    ([, to]) =>
      () =>
        loadPage(to),
  ),
  () => import('../../ui/popup.js'),
  () => import('../../ui/toast-view.js'),
  () => import('./command-palette.js'),
];

/** Loads their code while the browser is idle, so that they open without a connection too: one at a time, so that the page stays responsive. */
function useLoadingAhead(isOn: boolean): void {
  const [loaded, setLoaded] = useState(0);
  useEffect(() => {
    const load = ahead[loaded];
    if (!isOn || !load) return undefined;
    // What fails here is reported when it is used.
    return whenIdle(async () => {
      await Promise.allSettled([load()]);
      setLoaded(loaded + 1);
    });
  }, [isOn, loaded]);
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

/** A problem during a first sign-in that succeeded nevertheless; only our own texts, as anyone can write into an address. */
function SignInNotice() {
  const { search } = useLocation();
  const text = new URLSearchParams(search).get('error');
  if (text !== creditsMessage && text !== welcomeEmailFailed) return null;
  return <div className={styles.notice}>{text === creditsMessage ? <CreditsNotice /> : <MailNotice />}</div>;
}

/** Lasts until the credits have been read, because reading creates them. */
function CreditsNotice() {
  const { data } = useQuery(creditsQuery);
  const dismiss = useDismiss();
  if (!data)
    return (
      <Notice kind="bad" role="alert">
        {creditsMessage}
      </Notice>
    );
  return (
    <Notice kind="good" role="status">
      <div className={parts.failure}>
        <p>Your free credits were added.</p>
        <Button onClick={dismiss}>Close</Button>
      </div>
    </Notice>
  );
}

/** Lasts until the email is queued. */
function MailNotice() {
  const dismiss = useDismiss();
  const { mutate, isPending, isSuccess } = useMutation({ mutationFn: sendWelcomeEmail });
  return (
    <Notice kind={isSuccess ? 'good' : 'bad'} role={isSuccess ? 'status' : 'alert'}>
      <div className={parts.failure}>
        <p>{isSuccess ? 'The welcome email is on its way.' : welcomeEmailFailed}</p>
        {isSuccess ? (
          <Button onClick={dismiss}>Close</Button>
        ) : (
          <Button disabled={isPending} onClick={() => mutate()}>
            Try again
          </Button>
        )}
      </div>
    </Notice>
  );
}

/** Takes the text out of the address, so that a reload does not bring it back. */
function useDismiss(): () => void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return () => void navigate(pathname, { replace: true });
}

const RETRIES_MAX = 2;

/** The dashboard's query cache. Any call that finds the session ended signs the page out. */
function createQueryClient(): QueryClient {
  const noticeEnd = (error: unknown): void => {
    if (failureOf(error).kind !== 'session') return;
    // An answer that is still on its way was given before the session ended.
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
        retry: (failures, error) => failures < RETRIES_MAX && isPassing(error),
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
