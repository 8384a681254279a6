import { useEffect, useState } from 'react';
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { type MetaFunction, Outlet, useLocation } from 'react-router';
import { returnPath, withReturnPath } from '#contract/return-path.js';
import { creditsQuery, sessionQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { hiddenPageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { rememberSignedIn } from '../../signed-in-hint.js';
import { ButtonLink } from '../../ui/button.js';
import { useFocusOnArrival } from '../../ui/hooks.js';
import { PurchaseReturn } from '../purchase/purchase-return.js';
import { SessionContext, TablePageProvider } from './dashboard-context.js';
import { DashboardHeader } from './dashboard-header.js';
import styles from './dashboard-layout.module.css';
import { DashboardMenu } from './dashboard-menu.js';
import { FailureNotice } from './failures.js';
import { LiveEventsProvider, useLiveEvent } from './live-events.js';
import { createQueryClient } from './query-client.js';
import { SignInNotice } from './sign-in-notice.js';
import { titleAt } from './views.js';

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
