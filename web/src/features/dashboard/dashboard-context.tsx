import { createContext, type ReactNode, use, useState } from 'react';
import type { SessionAnswer } from '#contract/account.js';

export const SessionContext = createContext<SessionAnswer | null>(null);

/** The signed-in user. Available inside the dashboard layout only. */
export function useSession(): SessionAnswer {
  const session = use(SessionContext);
  if (!session) throw new Error('Nothing of the dashboard is shown to nobody');
  return session;
}

interface TablePage {
  /** Counted from 1; a table with fewer pages shows its last page. */
  readonly page: number;
  readonly setPage: (page: number) => void;
}

const TablePageContext = createContext<TablePage>({ page: 1, setPage: () => {} });

/** Holds the page number that all tables share; it survives a change of view (product specification, section 4). */
export function TablePageProvider({ children }: { children: ReactNode }) {
  const [page, setPage] = useState(1);
  return <TablePageContext value={{ page, setPage }}>{children}</TablePageContext>;
}

export function useTablePage(): TablePage {
  return use(TablePageContext);
}
