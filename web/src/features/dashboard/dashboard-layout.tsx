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
import { type MetaFunction, Outlet, useLocation, useNavigate } from 'react-router';
import { recordMessages, returnPath, withReturnPath } from '#contract/sign-in.js';
import { welcomeEmailFailed } from '#contract/account.js';
import { creditsQuery, sendWelcomeEmail, sessionQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { hiddenPageMeta } from '../../site.js';
import { paths } from '../../paths.js';
import { rememberSignedIn } from '../../browser-storage.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { useFocusOnArrival } from '../../ui/hooks.js';
import { PurchaseReturn } from '../purchase/purchase-return.js';
import { Notice } from '../../ui/surface.js';
import { SessionContext, TablePageProvider } from './dashboard-context.js';
import { DashboardHeader } from './dashboard-header.js';
import styles from './dashboard-layout.module.css';
import { DashboardMenu } from './dashboard-menu.js';
import { FailureNotice } from './failures.js';
import { LiveEventsProvider, useLiveEvent } from './live-events.js';
import { titleAt } from './views.js';
import parts from './dashboard-parts.module.css';

export const meta: MetaFunction = (args) => hiddenPageMeta(titleAt(args.location.pathname))(args);

/** What all views of the dashboard share; shown once the session is known. */
export default function DashboardLayout() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Entrance />
    </QueryClientProvider>
  );
}

function Entrance() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (session !== undefined) rememberSignedIn(session !== null);
  }, [session]);
  if (session)
    return (
      <SessionContext value={session}>
        <LiveEventsProvider>
          <TablePageProvider>
            <Shell />
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
      ) : error ? (
        <FailureNotice error={error} what="Your dashboard could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <p role="status">Loading...</p>
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
          <SignInNotice />
          <Outlet />
        </main>
      </div>
      <PurchaseReturn />
    </div>
  );
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

/** Lasts until the e-mail is queued. */
function MailNotice() {
  const dismiss = useDismiss();
  const { mutate, isPending, isSuccess } = useMutation({ mutationFn: sendWelcomeEmail });
  return (
    <Notice kind={isSuccess ? 'good' : 'bad'} role={isSuccess ? 'status' : 'alert'}>
      <div className={parts.failure}>
        <p>{isSuccess ? 'The welcome e-mail is on its way.' : welcomeEmailFailed}</p>
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
    if (failureOf(error).kind === 'session') client.setQueryData(sessionQuery.queryKey, null);
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
