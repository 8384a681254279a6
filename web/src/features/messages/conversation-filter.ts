import { conversationsQuery, type ConversationTab, conversationTabs } from '#contract/histories.js';
import { isNumberSearch } from '../../ui/phone-numbers.js';

/** The tab and the search of the list; '' means no search. */
export interface ConversationFilter {
  readonly tab: ConversationTab;
  readonly number: string;
  readonly text: string;
}

/** The filter in an address, without values that the server would refuse. */
export function filterIn(address: URLSearchParams): ConversationFilter {
  const { number, text } = conversationsQuery.shape;
  return {
    tab: conversationTabs.find((tab) => tab === address.get('tab')) ?? 'replies',
    number: number.safeParse(address.get('number') ?? '').data ?? '',
    text: text.safeParse(address.get('text') ?? '').data ?? '',
  };
}

export function addressOf({ tab, number, text }: ConversationFilter): URLSearchParams {
  const given = Object.entries({ tab: tab === 'replies' ? '' : tab, number, text });
  return new URLSearchParams(given.filter(([, value]) => value !== ''));
}

/** The filter of the search field: digits like a part of a phone number search for a number. */
export function searchFor(typed: string): Pick<ConversationFilter, 'number' | 'text'> {
  const isNumber = isNumberSearch(typed) && conversationsQuery.shape.number.safeParse(typed).success;
  return isNumber ? { number: typed, text: '' } : { number: '', text: typed };
}
