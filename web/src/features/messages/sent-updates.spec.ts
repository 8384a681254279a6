import { reasonOf } from '#contract/delivery-errors.js';
import { limits } from '#contract/limits.js';
import type { SentAnswer } from '#contract/histories.js';
import type { MessageView } from '#contract/messages.js';
import { withSentUpdates } from './sent-updates.js';

const idOf = (n: number) => `SM${String(n).padStart(32, '0')}`;

function message(n: number, changes: Partial<MessageView> = {}): MessageView {
  return {
    message_id: idOf(n),
    to: '+14155552671',
    from: null,
    message: `message ${n}`,
    status: 'queued',
    segments: 1,
    credits: 2,
    refunded: 0,
    reference: null,
    error_code: null,
    carrier_error: null,
    reason: null,
    delivery: 'once',
    attempts: 1,
    created_at: '2026-11-21T17:00:00.000Z',
    send_at: null,
    expires_at: null,
    sent_at: null,
    finished_at: null,
    ...changes,
  };
}

const empty: SentAnswer = {
  rows: [],
  page: 1,
  pages: 1,
  total: 0,
  among: 0,
  more: false,
  searchedTo: null,
  continue: null,
  anchor: 1,
};

/** The first page of messages 1 to `newest`. */
const pageUpTo = (newest: number): SentAnswer =>
  withSentUpdates(
    empty,
    Array.from({ length: newest }, (_, index) => message(index + 1)),
    limits.tablePageSize,
    true,
  );
const idsOf = ({ rows }: SentAnswer) => rows.map(({ messageId }) => Number(messageId.slice(2)));

describe('withSentUpdates', () => {
  it('adds the first message', () => {
    expect(pageUpTo(1)).toEqual({
      ...empty,
      rows: [
        {
          messageId: idOf(1),
          date: '11/21/2026, 12:00:00 PM',
          to: '+14155552671',
          message: 'message 1',
          segments: 1,
          status: 'queued',
          credits: 2,
          refunded: 0,
          error: null,
          reason: null,
          at: '2026-11-21T17:00:00.000Z',
          reference: null,
          sendAt: null,
          media: [],
        },
      ],
      total: 1,
      among: 1,
      anchor: 2,
    });
  });

  it('shows the files of a new message', () => {
    const file = { media_id: 'ME1', type: 'image/jpeg', bytes: 9, sha256: 'a' };
    const media = [
      { ...file, url: 'https://pennytext.test/m/ME1' },
      { ...file, url: null, sha256: null },
      { ...file, url: 'https://pennytext.test/m/ME1', type: 'video/mp4' },
    ];
    const page = withSentUpdates(empty, [{ ...message(1), kind: 'mms', media }], limits.tablePageSize, true);
    expect(page.rows[0]?.media).toMatchObject([
      { id: 'ME1', status: 'stored', thumbnail: true },
      { id: 'ME1', status: 'expired', thumbnail: false, url: null },
      { id: 'ME1', status: 'stored', thumbnail: false },
    ]);
  });

  it('adds new messages at the top, newest first, and counts them', () => {
    const page = withSentUpdates(pageUpTo(10), [message(11), message(12)], limits.tablePageSize, true);
    expect(idsOf(page)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(page).toMatchObject({ total: 12, pages: 2, anchor: 13 });
  });

  it('inserts a late message at its place', () => {
    const page = withSentUpdates(pageUpTo(10), [message(12)], limits.tablePageSize, true);
    expect(idsOf(withSentUpdates(page, [message(11)], limits.tablePageSize, true)).slice(0, 3)).toEqual([12, 11, 10]);
  });

  it('updates statuses in place', () => {
    const page = withSentUpdates(
      pageUpTo(3),
      [message(2, { status: 'failed', refunded: 2, error_code: 'expired', reason: reasonOf('expired', null) })],
      limits.tablePageSize,
      true,
    );
    expect(page.rows.map(({ status }) => status)).toEqual(['queued', 'failed', 'queued']);
    expect(page.rows[1]).toMatchObject({ refunded: 2, error: 'expired', reason: { code: 'expired' } });
    expect(page.total).toBe(3);
  });

  it('does not treat a message on a later page as new', () => {
    const page = pageUpTo(30);
    expect(withSentUpdates(page, [message(3, { status: 'sent' })], limits.tablePageSize, true)).toBe(page);
  });

  it('keeps the rows of a page that may not grow', () => {
    const page = withSentUpdates(
      pageUpTo(10),
      [message(11), message(10, { status: 'sent' })],
      limits.tablePageSize,
      false,
    );
    expect(idsOf(page)[0]).toBe(10);
    expect(page).toMatchObject({ total: 10, anchor: 11 });
    expect(page.rows.slice(0, 2).map(({ status }) => status)).toEqual(['sent', 'queued']);
  });

  it('returns the same page when nothing changed', () => {
    const page = pageUpTo(2);
    expect(withSentUpdates(page, [message(2)], limits.tablePageSize, true)).toBe(page);
  });
});
