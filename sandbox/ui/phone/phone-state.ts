import type { MessageView, ThreadsAnswer, ThreadView } from './use-phone.js';

/** Bound on messages of the open thread; older ones are loaded again on request. */
const THREAD_MESSAGES_MAX = 400;
const THREADS_MAX = 600;

/** State of the page. */
export interface PhoneState {
  readonly reading: 'first' | 'done' | 'failed';
  readonly live: 'connecting' | 'live' | 'lost';
  /** The last message of every known thread, newest first. */
  readonly threads: readonly MessageView[];
  /** Cursor of the next page of threads, or null. */
  readonly next: number | null;
  readonly digits: string;
  readonly productUrl: string;
  /** The product's last sender. */
  readonly sender: string;
  readonly openPhone: string | null;
  /** Messages of the open thread, oldest first; null until loaded. */
  readonly messages: readonly MessageView[] | null;
  readonly earlier: number | null;
  readonly unread: ReadonlySet<string>;
}

type PhoneAction =
  | { readonly kind: 'threads read'; readonly answer: ThreadsAnswer; readonly digits: string; readonly fresh: boolean }
  | { readonly kind: 'more threads read'; readonly answer: ThreadsAnswer; readonly digits: string }
  | { readonly kind: 'thread read'; readonly phone: string; readonly answer: ThreadView; readonly fresh: boolean }
  | { readonly kind: 'earlier read'; readonly phone: string; readonly answer: ThreadView }
  | { readonly kind: 'changes'; readonly messages: readonly MessageView[] }
  | { readonly kind: 'opened'; readonly phone: string | null }
  | { readonly kind: 'searched'; readonly digits: string }
  | { readonly kind: 'live'; readonly live: PhoneState['live'] }
  | { readonly kind: 'failed' };

export const firstState: PhoneState = {
  reading: 'first',
  live: 'connecting',
  threads: [],
  next: null,
  digits: '',
  productUrl: '',
  sender: '',
  openPhone: null,
  messages: null,
  earlier: null,
  unread: new Set(),
};

export function reducePhone(state: PhoneState, action: PhoneAction): PhoneState {
  switch (action.kind) {
    case 'threads read': {
      if (action.digits !== state.digits) return state;
      const { threads, next, productUrl, sender } = action.answer;
      const kept = action.fresh ? [] : state.threads;
      const merged = newestThreads([...kept, ...threads]);
      return {
        ...state,
        reading: 'done',
        threads: merged,
        next: kept.length > threads.length ? state.next : next,
        productUrl,
        sender,
      };
    }
    case 'more threads read':
      if (action.digits !== state.digits) return state;
      return {
        ...state,
        threads: newestThreads([...state.threads, ...action.answer.threads]),
        next: action.answer.next,
      };
    case 'thread read': {
      if (action.phone !== state.openPhone) return state;
      const { messages, earlier } = action.answer;
      const known = action.fresh ? [] : (state.messages ?? []);
      // Keeps earlier messages only without a gap.
      const touches = known.some((message) => message.sid === messages[0]?.sid);
      return touches
        ? { ...state, messages: mergeMessages(known, messages) }
        : { ...state, messages: mergeMessages(newerThan(known, messages), messages), earlier };
    }
    case 'earlier read':
      if (action.phone !== state.openPhone || state.messages === null) return state;
      return {
        ...state,
        messages: mergeMessages(state.messages, action.answer.messages),
        earlier: action.answer.earlier,
      };
    case 'changes':
      return withChanges(state, action.messages);
    case 'opened':
      if (action.phone === state.openPhone) return state;
      return {
        ...state,
        openPhone: action.phone,
        messages: null,
        earlier: null,
        unread: without(state.unread, action.phone),
      };
    case 'searched':
      return { ...state, digits: action.digits, threads: [], next: null };
    case 'live':
      return { ...state, live: action.live };
    case 'failed':
      return { ...state, reading: state.reading === 'first' ? 'failed' : state.reading };
  }
}

function withChanges(state: PhoneState, changes: readonly MessageView[]): PhoneState {
  const heads = changes.filter((message) => message.phone.includes(state.digits));
  const unread = new Set(state.unread);
  for (const { mine, version, phone } of changes) {
    if (!mine && version === 0 && phone !== state.openPhone) unread.add(phone);
  }
  const next: PhoneState = {
    ...state,
    threads: newestThreads([...state.threads, ...heads]).slice(0, THREADS_MAX),
    sender: changes[changes.length - 1]?.sender ?? state.sender,
    unread,
  };
  const own = changes.filter((message) => message.phone === state.openPhone);
  if (own.length === 0 || state.messages === null) return next;
  const first = state.messages[0];
  const inRange = own.filter((message) => state.earlier === null || !first || message.sequence >= first.sequence);
  const merged = mergeMessages(state.messages, inRange);
  const surplus = merged.length - THREAD_MESSAGES_MAX;
  if (surplus <= 0) return { ...next, messages: merged };
  const kept = merged.slice(surplus);
  return { ...next, messages: kept, earlier: kept[0]?.sequence ?? null };
}

/** Merges messages: the newest version of each, in order of arrival. */
function mergeMessages(known: readonly MessageView[], arrived: readonly MessageView[]): MessageView[] {
  const bySid = new Map(known.map((message) => [message.sid, message]));
  for (const message of arrived) {
    const before = bySid.get(message.sid);
    if (before === undefined || message.version > before.version) bySid.set(message.sid, message);
  }
  return [...bySid.values()].sort((a, b) => a.sequence - b.sequence);
}

/** Returns the newest message of each phone, newest first. */
function newestThreads(messages: readonly MessageView[]): MessageView[] {
  const byPhone = new Map<string, MessageView>();
  for (const message of messages) {
    const known = byPhone.get(message.phone);
    const isNewer =
      known === undefined ||
      message.sequence > known.sequence ||
      (message.sequence === known.sequence && message.version > known.version);
    if (isNewer) byPhone.set(message.phone, message);
  }
  return [...byPhone.values()].sort((a, b) => b.sequence - a.sequence);
}

function newerThan(known: readonly MessageView[], page: readonly MessageView[]): readonly MessageView[] {
  const newest = page[page.length - 1]?.sequence ?? 0;
  return known.filter((message) => message.sequence > newest);
}

function without(set: ReadonlySet<string>, item: string | null): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== item));
}
