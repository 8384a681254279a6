import { createContext, use, useState, type ReactNode } from 'react';

interface TablePage {
  /** Counted from 1; a table with fewer pages shows its last one. */
  readonly page: number;
  readonly setPage: (page: number) => void;
}

const TablePageContext = createContext<TablePage>({ page: 1, setPage: () => {} });

/** Keeps the page of all tables: it is one number, which stays when the view changes (product specification, section 4). */
export function TablePageProvider({ children }: { children: ReactNode }) {
  const [page, setPage] = useState(1);
  return <TablePageContext value={{ page, setPage }}>{children}</TablePageContext>;
}

export function useTablePage(): TablePage {
  return use(TablePageContext);
}
