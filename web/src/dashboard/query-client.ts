import { QueryCache, QueryClient, MutationCache } from '@tanstack/react-query';
import { failureOf } from '../api/api-failure.js';
import { queryKeys } from './query-keys.js';

const RETRIES_MAX = 2;

/** Keeps what was read from the server while the dashboard is open. A session that has ended shows wherever a call notices it. */
export function createQueryClient(): QueryClient {
  const noticeEnd = (error: unknown): void => {
    if (failureOf(error).kind === 'session') client.setQueryData(queryKeys.session, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: noticeEnd }),
    mutationCache: new MutationCache({ onError: noticeEnd }),
    defaultOptions: {
      queries: {
        // What changes is told by live events.
        staleTime: Infinity,
        retry: (failures, error) => failures < RETRIES_MAX && isPassing(error),
        // A call without a connection fails and says so, rather than waiting in silence.
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
