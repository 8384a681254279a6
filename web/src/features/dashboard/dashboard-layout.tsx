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
import { type MetaFunction, Outlet, PrefetchPageLinks, useLocation, useNavigate } from 'react-router';
import { recordMessages, returnPath, withReturnPath } from '#contract/sign-in.js';
import { welcomeEmailFailed } from '#contract/account.js';
import { creditsQuery, sendWelcomeEmail, sessionQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { hiddenPageMeta } from '../../site.js';
import { paths } from '../../paths.js';
import { rememberSignedIn } from '../../browser-storage.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { useFocusOnArrival, useHydrated } from '../../ui/hooks.js';
import { PurchaseReturn } from '../purchase/purchase-return.js';
import { Notice } from '../../ui/surface.js';
import { SessionContext, TablePageProvider, useSession } from './dashboard-context.js';
import { DashboardHeader } from './dashboard-header.js';
import styles from './dashboard-layout.module.css';
import { DashboardMenu } from './dashboard-menu.js';
import { FailureNotice, FailureScope, SeveralFailures } from './failures.js';
import { LiveEventsProvider, useLiveEvent } from './live-events.js';
import { titleAt, views } from './views.js';
import parts from './dashboard-parts.module.css';

export const meta: MetaFunction = (args) => hiddenPageMeta(titleAt(args.location.pathname))(args);

/** What all views of the dashboard share. */
export default function DashboardLayout() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
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
  useLiveCredits();
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
          {isHydrated ? <Outlet /> : <p role="status">Loading...</p>}
        </main>
      </div>
      {session && <PurchaseReturn />}
      {session && <OtherViews />}
    </div>
  );
}

const popups = [
  () => import('../../ui/popup.js'),
  () => import('../../ui/toast-view.js'),
  () => import('./command-palette.js'),
];

/**
 * Loads the code of the other views and of popups while the browser is idle, so that they open without a connection too: one at
 * a time, so that the page stays responsive.
 */
function OtherViews() {
  const [loaded, setLoaded] = useState(0);
  useEffect(() => {
    if (loaded === views.length + popups.length) return undefined;
    return whenIdle(async () => {
      // What fails here is loaded, and reported, when it is used.
      await Promise.allSettled([popups[loaded - views.length]?.()]);
      setLoaded(loaded + 1);
    });
  }, [loaded]);
  return views.slice(0, loaded).map(([, to]) => <PrefetchPageLinks key={to} page={to} />);
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
