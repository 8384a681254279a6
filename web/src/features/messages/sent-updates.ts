import type { SentAnswer, SentRow } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import type { MessageView } from '#contract/messages.js';
import { newYorkTime } from '../../ui/format.js';

/**
 * Applies updates to a page of sent messages. With `mayGrow` (the first page of all messages) new messages are added at
 * the top; other pages stay put. Returns the same object when nothing changed.
 */
export function withSentUpdates(page: SentAnswer, updates: readonly MessageView[], mayGrow: boolean): SentAnswer {
  const byId = new Map(updates.map((message) => [message.message_id, message]));
  const known = page.rows.map((row) => changedRow(row, byId.get(row.messageId)));
  const fresh = mayGrow ? newRowsOf(page, [...byId.values()]) : [];
  if (fresh.length === 0)
    return known.every((row, place) => row === page.rows[place]) ? page : { ...page, rows: known };
  const total = page.total + fresh.length;
  return {
    ...page,
    rows: [...fresh, ...known].sort(newestFirst).slice(0, limits.tablePageSize),
    total,
    pages: Math.ceil(total / limits.tablePageSize),
    anchor: page.anchor + fresh.length,
  };
}

/** Messages that are newer than the last row but not on the page are new: ids sort by acceptance. */
function newRowsOf({ rows }: SentAnswer, updates: readonly MessageView[]): SentRow[] {
  const shown = new Set(rows.map(({ messageId }) => messageId));
  const last = rows.length < limits.tablePageSize ? '' : (rows.at(-1)?.messageId ?? '');
  return updates.filter(({ message_id: id }) => id > last && !shown.has(id)).map(rowOf);
}

function changedRow(row: SentRow, message: MessageView | undefined): SentRow {
  if (!message) return row;
  const { status, refunded, error_code: error } = message;
  const isSame = row.status === status && row.refunded === refunded && row.error === error;
  return isSame ? row : { ...row, status, refunded, error };
}

function rowOf(message: MessageView): SentRow {
  const {
    message_id: messageId,
    created_at,
    to,
    segments,
    status,
    credits,
    refunded,
    error_code: error,
    send_at: sendAt,
  } = message;
  const date = newYorkTime(created_at);
  return { messageId, date, to, message: message.message, segments, status, credits, refunded, error, sendAt };
}

function newestFirst(one: SentRow, other: SentRow): number {
  return one.messageId < other.messageId ? 1 : -1;
}
