import { useEffect, useState } from 'react';
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, type MetaFunction } from 'react-router';
import { returnPath, withReturnPath } from '#contract/return-path.js';
import { readSession } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';
import { LiveEventsProvider, useLiveEvent } from '../../dashboard/live-events.js';
import { createQueryClient } from '../../dashboard/query-client.js';
import { queryKeys } from '../../dashboard/query-keys.js';
import { SessionContext } from '../../dashboard/session.js';
import { TablePageProvider } from '../../dashboard/table-page.js';
import { FailureNotice } from '../../dashboard/ui/failure-notice.js';
import { useLiveCredits } from '../../dashboard/use-credits.js';
import { hiddenPageMeta } from '../../page-meta.js';
import { paths } from '../../paths.js';
import { rememberSignedIn } from '../../signed-in-hint.js';
import { ButtonLink } from '../../ui/button.js';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.js';
import { DashboardHeader } from './dashboard-header.js';
import { DashboardMenu } from './dashboard-menu.js';
import { PurchaseReturn } from './purchase/purchase-return.js';
import styles from './dashboard-layout.module.css';
import { SignInNotice } from './sign-in-notice.js';
import { titleAt } from './views.js';

export const meta: MetaFunction = (args) => hiddenPageMeta(titleAt(args.location.pathname))(args);

/** What all views of the dashboard share; nothing of it is shown before it is known who is signed in. */
export default function DashboardLayout() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Entrance />
    </QueryClientProvider>
  );
}

function Entrance() {
  const { data: session, error, refetch } = useQuery({ queryKey: queryKeys.session, queryFn: readSession });
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

function Shell() {
  const main = useFocusOnArrival();
  const client = useQueryClient();
  useLiveCredits();
  // Signed out elsewhere, or the session is over: the server says which by its answer.
  useLiveEvent('ended', () => void client.invalidateQueries({ queryKey: queryKeys.session }));
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
