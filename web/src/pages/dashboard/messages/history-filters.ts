import { receivedFilter, sentFilter } from '#contract/histories.js';

export type HistoryName = 'sent' | 'received';

/** What a history is filtered by, as it stands in the page's address; '' where nothing is asked for. Days are New York's. */
export interface HistoryFilters {
  readonly status: string;
  readonly number: string;
  readonly text: string;
  readonly from: string;
  readonly to: string;
}

export const noFilters: HistoryFilters = { status: '', number: '', text: '', from: '', to: '' };

const shapes = { sent: sentFilter.shape, received: receivedFilter.shape };

/** The filters that an address asks for. What the server would refuse is left out: the form shows what is searched for. */
export function filtersIn(address: URLSearchParams, history: HistoryName): HistoryFilters {
  const valid = (name: keyof HistoryFilters) => {
    const value = address.get(name) ?? '';
    return shapes[history][name].safeParse(value).success ? value : '';
  };
  return {
    status: valid('status'),
    number: valid('number'),
    text: valid('text'),
    from: valid('from'),
    to: valid('to'),
  };
}

/** The address of a history that is filtered so. */
export function addressOf(history: HistoryName, filters: HistoryFilters): URLSearchParams {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return new URLSearchParams([...(history === 'sent' ? [] : [['tab', history]]), ...given]);
}

export function historyIn(address: URLSearchParams): HistoryName {
  return address.get('tab') === 'received' ? 'received' : 'sent';
}
