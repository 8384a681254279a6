import { createContext, type ReactNode, use, useState } from 'react';
import { limits, tablePageSizes } from '#contract/limits.js';
import type { SessionAnswer } from '#contract/account.js';
import { storage } from '../../browser-storage.js';

export const SessionContext = createContext<SessionAnswer | undefined>(undefined);

/** The signed-in user; undefined until the server has answered. */
export function useSession(): SessionAnswer | undefined {
  return use(SessionContext);
}

interface TablePage {
  /** Counted from 1; a table with fewer pages shows its last page. */
  readonly page: number;
  readonly setPage: (page: number) => void;
  /** Rows per page, which the browser remembers. */
  readonly size: number;
  readonly setSize: (size: number) => void;
}

const TablePageContext = createContext<TablePage>({
  page: 1,
  setPage: () => {},
  size: limits.tablePageSize,
  setSize: () => {},
});

const PAGE_SIZE = 'page-size';

function rememberedPageSize(): number {
  const size = Number(storage()?.getItem(PAGE_SIZE));
  return tablePageSizes.includes(size) ? size : limits.tablePageSize;
}

/**
 * Holds the page number and size that all tables share; they survive a change of view (product
 * specification, section 4).
 */
export function TablePageProvider({ children }: { children: ReactNode }) {
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(rememberedPageSize);
  const change = (rows: number) => {
    storage()?.setItem(PAGE_SIZE, String(rows));
    setSize(rows);
    setPage(1);
  };
  return <TablePageContext value={{ page, setPage, size, setSize: change }}>{children}</TablePageContext>;
}

export function useTablePage(): TablePage {
  return use(TablePageContext);
}
