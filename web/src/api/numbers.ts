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
/** What a search found is for sale a little longer. */
const FOUND_KEPT_MS = 30_000;
/** While a purchase or a release is being decided, its state is read again. */
const UNDECIDED_EVERY_MS = 2_000;

/** Of numbers, and of pools: a change of one shows in the other. */
export const numbersKey = ['numbers'] as const;

/** A release that can still be undone changes nothing for a day. */
const isUndecided = ({ status, releases_at: at }: Pick<NumberView, 'status' | 'releases_at'>) =>
  status === 'reserving' || (status === 'releasing' && at === null);

/** The numbers that the account has, or those that it had. */
export const numbersQuery = (status: 'live' | 'released' = 'live') =>
  queryOptions({
    queryKey: [...numbersKey, 'list', status],
    queryFn: (): Promise<NumbersAnswer> => call(numbersAnswer, { method: 'GET', path: `${NUMBERS}?status=${status}` }),
    refetchInterval: ({ state }) => (state.data?.numbers.some(isUndecided) ? UNDECIDED_EVERY_MS : false),
  });

/** One number and what went through it. Fails with code `number_not_found`. */
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

/** Takes a number that is sold out of what was found before. */
export function forgetFound(client: QueryClient, sold: string): void {
  client.setQueriesData<AvailableNumbersAnswer>(
    { queryKey: searchesKey },
    (found) => found && { ...found, numbers: found.numbers.filter(({ number }) => number !== sold) },
  );
}

/** A purchase; a repetition with the same key is answered as the first one. */
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

/** Gives a number up. `now` needs a fresh sign-in, and fails with code `sign_in_again` otherwise. */
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
