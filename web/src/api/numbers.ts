import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  availableNumbersAnswer,
  type AvailableNumbersAnswer,
  type AvailableNumbersFilter,
  changedNumberAnswer,
  type ChangedNumberAnswer,
  type NumberSettingsBody,
  type DashboardReleaseQuery,
  numberAnswer,
  numberBoughtAnswer,
  type NumberBoughtAnswer,
  type NumbersAnswer,
  type NumberView,
  numbersAnswer,
  poolAnswer,
  type PoolAnswer,
  type PoolBody,
  poolDeletedAnswer,
  type PoolDeletedAnswer,
  poolsAnswer,
} from '#contract/numbers.js';
import { call, searchOf } from './call.js';

const NUMBERS = '/api/dashboard/numbers';
const POOLS = '/api/dashboard/pools';
/** Numbers that a search found stay for sale a little longer. */
const FOUND_KEPT_MS = 30_000;
/** Interval at which the state of an undecided purchase or release is read. */
const UNDECIDED_EVERY_MS = 2_000;

/** Shared by numbers and pools: a change of either shows in the other. */
export const numbersKey = ['numbers'] as const;

/** A release that can still be undone changes nothing for a day. */
const isUndecided = ({ status, releases_at: at }: Pick<NumberView, 'status' | 'releases_at'>) =>
  status === 'reserving' || (status === 'releasing' && at === null);

/** The account's current numbers, or its released numbers. */
export const numbersQuery = (status: 'live' | 'released' = 'live') =>
  queryOptions({
    queryKey: [...numbersKey, 'list', status],
    queryFn: (): Promise<NumbersAnswer> => call(numbersAnswer, { method: 'GET', path: `${NUMBERS}?status=${status}` }),
    refetchInterval: ({ state }) => (state.data?.numbers.some(isUndecided) ? UNDECIDED_EVERY_MS : false),
  });

/** One number and its traffic. Fails with code `number_not_found`. */
export const numberQuery = (numberId: string) =>
  queryOptions({
    queryKey: [...numbersKey, 'one', numberId],
    queryFn: () => call(numberAnswer, { method: 'GET', path: `${NUMBERS}/${encodeURIComponent(numberId)}` }),
    refetchInterval: ({ state }) => (state.data && isUndecided(state.data) ? UNDECIDED_EVERY_MS : false),
  });

const searchesKey = ['available-numbers'] as const;

/** Numbers that can be bought. */
export const availableNumbersQuery = (filter: Omit<AvailableNumbersFilter, 'limit'>) =>
  queryOptions({
    queryKey: [...searchesKey, filter],
    queryFn: (): Promise<AvailableNumbersAnswer> =>
      call(availableNumbersAnswer, { method: 'GET', path: `${NUMBERS}/available?${searchOf(filter)}` }),
    staleTime: FOUND_KEPT_MS,
    placeholderData: keepPreviousData,
    retry: false,
  });

/** Removes a sold number from earlier search results. */
export function forgetFound(client: QueryClient, sold: string): void {
  client.setQueriesData<AvailableNumbersAnswer>(
    { queryKey: searchesKey },
    (found) => found && { ...found, numbers: found.numbers.filter(({ number }) => number !== sold) },
  );
}

/** Buys a number; a repetition with the same key gets the first answer. */
export function buyNumber({
  idempotencyKey,
  ...body
}: {
  readonly number: string;
  readonly label: string | null;
  readonly auto_renew: boolean;
  readonly idempotencyKey: string;
}): Promise<NumberBoughtAnswer> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  return call(numberBoughtAnswer, { method: 'POST', path: NUMBERS, body, headers });
}

export function changeNumber(numberId: string, body: NumberSettingsBody): Promise<ChangedNumberAnswer> {
  return call(changedNumberAnswer, { method: 'PUT', path: `${NUMBERS}/${numberId}`, body });
}

/** Undoes a release that has not taken effect. */
export function keepNumber(numberId: string): Promise<ChangedNumberAnswer> {
  return call(changedNumberAnswer, { method: 'DELETE', path: `${NUMBERS}/${numberId}?cancel=true` });
}

export type ReleaseTime = DashboardReleaseQuery['at'];

/** Releases a number. `now` needs a fresh sign-in; without, it fails with code `sign_in_again`. */
export function releaseNumber(numberId: string, at: ReleaseTime): Promise<ChangedNumberAnswer> {
  return call(changedNumberAnswer, { method: 'DELETE', path: `${NUMBERS}/${numberId}?at=${at}` });
}

export const poolsQuery = queryOptions({
  queryKey: [...numbersKey, 'pools'],
  queryFn: () => call(poolsAnswer, { method: 'GET', path: POOLS }),
});

export function putPool(body: Omit<PoolBody, 'apikey'>): Promise<PoolAnswer> {
  return call(poolAnswer, { method: 'PUT', path: POOLS, body });
}

export function deletePool(poolId: string): Promise<PoolDeletedAnswer> {
  return call(poolDeletedAnswer, { method: 'DELETE', path: `${POOLS}/${poolId}` });
}
