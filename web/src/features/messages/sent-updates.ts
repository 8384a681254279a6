import type { MediaView } from '#contract/media.js';
import type { MessageMedia } from '#contract/message-media.js';
import type { SentAnswer, SentRow } from '#contract/histories.js';
import type { MessageView } from '#contract/messages.js';
import { newYorkTime } from '../../ui/format.js';

/**
 * Applies updates to a page of `size` sent messages. With `mayGrow` (the first page of all
 * messages) new messages are added at the top; other pages stay put. Returns the same object when
 * nothing changed.
 */
export function withSentUpdates(
  page: SentAnswer,
  updates: readonly MessageView[],
  size: number,
  mayGrow: boolean,
): SentAnswer {
  const byId = new Map(updates.map((message) => [message.message_id, message]));
  const known = page.rows.map((row) => changedRow(row, byId.get(row.messageId)));
  const fresh = mayGrow ? newRowsOf(page, [...byId.values()], size) : [];
  if (fresh.length === 0)
    return known.every((row, place) => row === page.rows[place]) ? page : { ...page, rows: known };
  const total = page.total + fresh.length;
  return {
    ...page,
    rows: [...fresh, ...known].sort(newestFirst).slice(0, size),
    total,
    among: page.among + fresh.length,
    pages: Math.ceil(total / size),
    anchor: page.anchor + fresh.length,
  };
}

/**
 * Messages that are newer than the last row but not on the page are new: ids sort by acceptance.
 */
function newRowsOf({ rows }: SentAnswer, updates: readonly MessageView[], size: number): SentRow[] {
  const shown = new Set(rows.map(({ messageId }) => messageId));
  const last = rows.length < size ? '' : (rows.at(-1)?.messageId ?? '');
  return updates.filter(({ message_id: id }) => id > last && !shown.has(id)).map(rowOf);
}

function changedRow(row: SentRow, message: MessageView | undefined): SentRow {
  if (!message) return row;
  const { status, refunded, error_code: error, reason } = message;
  const isSame =
    row.status === status && row.refunded === refunded && row.error === error && row.reason?.code === reason?.code;
  return isSame ? row : { ...row, status, refunded, error, reason };
}

function rowOf(message: MessageView): SentRow {
  const {
    message_id: messageId,
    created_at: at,
    to,
    segments,
    status,
    credits,
    refunded,
    error_code: error,
    reason,
    reference,
    send_at: sendAt,
  } = message;
  const date = newYorkTime(at);
  const text = message.message;
  return {
    messageId,
    date,
    at,
    to,
    message: text,
    segments,
    status,
    credits,
    refunded,
    error,
    reason,
    reference,
    sendAt,
    media: (message.media ?? []).map(fileOf),
  };
}

const DECODED = /^image\/(jpeg|png|gif)$/;

function fileOf({ media_id: id, url, type, bytes, sha256 }: MessageMedia): MediaView {
  const status = url === null ? 'expired' : 'stored';
  return { id, status, reason: null, type, bytes, sha256, thumbnail: url !== null && DECODED.test(type), url };
}

function newestFirst(one: SentRow, other: SentRow): number {
  return one.messageId < other.messageId ? 1 : -1;
}
