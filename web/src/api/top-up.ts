import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  cardSetupAnswer,
  type CardSetupAnswer,
  topUpAnswer,
  type TopUpAnswer,
  type TopUpBody,
  topUpsAnswer,
  topUpStatusAnswer,
  type TopUpStatusAnswer,
} from '#contract/top-ups.js';
import { call } from './call.js';

const TOP_UP = '/api/dashboard/top-up';

export const topUpKey = ['top-up'] as const;

/** Settings of automatic top-up, the saved card and the attempt under way. */
export const topUpQuery = queryOptions({
  queryKey: [...topUpKey, 'settings'],
  queryFn: () => call(topUpAnswer, { method: 'GET', path: TOP_UP }),
});

/** One page of the attempts to charge the saved card, newest first. */
export const topUpsQuery = (page: number) =>
  queryOptions({
    queryKey: [...topUpKey, 'attempts', page],
    queryFn: () => call(topUpsAnswer, { method: 'GET', path: `${TOP_UP}/attempts?page=${page}` }),
    placeholderData: keepPreviousData,
  });

export function changeTopUp(body: TopUpBody): Promise<TopUpAnswer> {
  return call(topUpAnswer, { method: 'PUT', path: TOP_UP, body });
}

/** Opens the payment provider's page on which a card is saved. */
export function openCardSetup(): Promise<CardSetupAnswer> {
  return call(cardSetupAnswer, { method: 'POST', path: `${TOP_UP}/card` });
}

/** Stores the card of a session when the browser comes back from that page. */
export function saveCard(sessionId: string): Promise<TopUpAnswer> {
  return call(topUpAnswer, { method: 'POST', path: `${TOP_UP}/card/${encodeURIComponent(sessionId)}` });
}

export function removeCard(): Promise<TopUpAnswer> {
  return call(topUpAnswer, { method: 'DELETE', path: `${TOP_UP}/card` });
}

/** Begins the confirmation of a charge; the customer confirms it at `url`. */
export function confirmTopUp(id: string): Promise<TopUpStatusAnswer> {
  return call(topUpStatusAnswer, { method: 'POST', path: `${TOP_UP}/attempts/${encodeURIComponent(id)}/confirm` });
}

/** Reads the outcome when the browser comes back from the confirmation. */
export function settleTopUp(id: string): Promise<TopUpStatusAnswer> {
  return call(topUpStatusAnswer, { method: 'POST', path: `${TOP_UP}/attempts/${encodeURIComponent(id)}/settle` });
}
