import { QueryCache, QueryClient, MutationCache } from '@tanstack/react-query';
import { sessionQuery } from '../../api/account.js';
import { failureOf } from '../../api/api-failure.js';

const RETRIES_MAX = 2;

/** The dashboard's query cache. Any call that finds the session ended signs the page out. */
export function createQueryClient(): QueryClient {
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
