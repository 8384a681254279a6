import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { RejectedItem } from '#contract/bulk.js';
import { smartText } from '#contract/sms-characters.js';
import { paths } from '../../paths.js';
import { Moment } from '../../ui/moment.js';
import { Button } from '../../ui/button.js';
import { credits } from '../../ui/credits.js';
import { type Column, DataTable, Pager } from '../../ui/data-table.js';
import { Question } from '../../ui/dialog.js';
import { isOptOut, OptOutLink } from '../../dashboard/records/opt-out-link.js';
import { Card, Notice } from '../../ui/surface.js';
import { PlainOffer } from '../composer/plain-offer.js';
import { timeInWords } from '../composer/send-time.js';
import styles from './bulk.module.css';
import { filledIn, reasonOf } from './recipients.js';
import type { BulkOptions, BulkPreview } from './use-bulk.js';

const SHOWN_ROWS = 5;
const REJECTED_PER_PAGE = 10;

export const messages = (count: number): string =>
  count === 1 ? '1 message' : `${count.toLocaleString('en-US')} messages`;

interface BulkPreviewCardProps {
  readonly preview: BulkPreview;
  readonly isSending: boolean;
  readonly onSend: () => void;
  /** Called with the message in plain characters. */
  readonly onPlain: (message: string) => void;
  /** Reason why the last attempt sent nothing, if so. */
  readonly children: ReactNode;
}

/** Shows the bulk and its price, and the button that sends it. */
export function BulkPreviewCard({ preview, isSending, onSend, onPlain, children }: BulkPreviewCardProps) {
  const [isAsking, setAsking] = useState(false);
  const { draft, recipients, rejected, lines, balance, options, plain, unansweredAt } = preview;
  const act = options.sendAt === undefined ? 'Send' : 'Schedule';
  const label = `${act} ${messages(recipients.length)} for ${credits(preview.credits)}`;
  const isShort = rejected.some(({ code }) => code === 'insufficient_credits');
  return (
    <section aria-labelledby="preview">
      <Card>
        <div className={styles.form}>
          <h2 id="preview" className={styles.title}>
            Preview
          </h2>
          <dl className={styles.figures}>
            <Figure name="Messages">{recipients.length.toLocaleString('en-US')}</Figure>
            <Figure name="Not sent">{rejected.length.toLocaleString('en-US')}</Figure>
            <Figure name="Price">{credits(preview.credits)}</Figure>
            <Figure name="Balance afterwards">{credits(balance - preview.credits)}</Figure>
          </dl>
          <p className={styles.hint}>{optionsInWords(options)}</p>
          {plain && (
            <PlainOffer
              message={draft.message}
              before={preview.credits}
              after={plain.credits}
              onReplace={() => onPlain(plain.message)}
            />
          )}
          {unansweredAt !== undefined && (
            <Notice kind="info">
              You sent this list and message on <Moment at={new Date(unansweredAt).toISOString()} />, and the answer did
              not arrive. This is the same bulk again: it is sent and charged only once.
            </Notice>
          )}
          {isShort && (
            <Notice kind="bad">
              Your balance covers {messages(recipients.length)}.{' '}
              <Link to={paths.dashboardPurchase}>Purchase Credits</Link>
            </Notice>
          )}
          {recipients.length > 0 && <FirstMessages preview={preview} />}
          {rejected.length > 0 && <Rejected rejected={rejected} lines={lines} />}
          {children}
          {recipients.length > 0 ? (
            <div className={styles.act}>
              <Button look="primary" disabled={isSending} onClick={() => setAsking(true)}>
                {isSending ? `${act === 'Send' ? 'Sending' : 'Scheduling'} ${messages(recipients.length)}...` : label}
              </Button>
              <p className={styles.hint}>
                All of them are accepted, or none. Messages over your daily limit are refunded.
              </p>
            </div>
          ) : (
            <p role="status">None of these messages can be sent.</p>
          )}
        </div>
      </Card>
      {isAsking && (
        <Question
          title={`${act} ${messages(recipients.length)}?`}
          onClose={() => setAsking(false)}
          actions={
            <Button
              look="primary"
              onClick={() => {
                setAsking(false);
                onSend();
              }}
            >
              {label}
            </Button>
          }
        >
          <p>
            {credits(preview.credits)} will be charged; {credits(balance - preview.credits)}{' '}
            {balance - preview.credits === 1 ? 'is' : 'are'} left afterwards. Messages that cannot be delivered are
            refunded.
          </p>
        </Question>
      )}
    </section>
  );
}

/** Time and options of the messages, in words. */
function optionsInWords({ encoding, sendAt, media, asLinks }: BulkOptions): string {
  const more = `${filesInWords(media.length, asLinks)}${encodingInWords[encoding]}`;
  if (sendAt === undefined) return `Sent at once. ${more}`;
  const { local, newYork } = timeInWords(new Date(sendAt));
  return `Sent on ${local} your time, ${newYork} in New York. ${more}`;
}

function filesInWords(files: number, asLinks: boolean): string {
  if (files === 0) return '';
  const count = files === 1 ? 'one file' : `${files} files`;
  return `Each with ${count}, as MMS${asLinks ? ', or as links outside the USA and Canada' : ''}. `;
}

const encodingInWords: Readonly<Record<BulkOptions['encoding'], string>> = {
  auto: 'Encoding as needed.',
  smart: 'Smart encoding: typographic characters become plain ones.',
  gsm7: 'GSM-7 only: messages with other characters are not sent.',
};

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface FirstMessage {
  readonly to: string;
  readonly text: string;
}

const messageColumns: readonly Column<FirstMessage>[] = [
  { title: 'To', cell: ({ to }) => <bdi>{to}</bdi> },
  { title: 'Message', cell: ({ text }) => <bdi className={styles.text}>{text}</bdi> },
];

/** The first messages as they will be sent. */
function FirstMessages({ preview: { recipients, draft, options } }: { preview: BulkPreview }) {
  const first = recipients.slice(0, SHOWN_ROWS).map((recipient) => {
    const text = filledIn(draft.message, recipient);
    return { to: recipient.to, text: options.encoding === 'smart' ? smartText(text) : text };
  });
  return (
    <div className={styles.part}>
      <h3 className={styles.subtitle}>
        {recipients.length > first.length ? `The first ${SHOWN_ROWS} messages` : 'The messages'}
      </h3>
      <DataTable label="Messages of the preview" columns={messageColumns} rows={first} keyOf={(_row, place) => place} />
    </div>
  );
}

interface RejectedRow {
  readonly index: number;
  readonly line: string;
  readonly to: string;
  readonly reason: string;
  readonly code: string;
}

const rejectedColumns: readonly Column<RejectedRow>[] = [
  { title: 'Line', isNumber: true, cell: ({ line }) => line },
  { title: 'Number', cell: ({ to }) => <bdi>{to === '' ? 'None' : to}</bdi> },
  {
    title: 'Reason',
    cell: ({ reason, code, to }) => (
      <>
        {reason} {isOptOut(code) && <OptOutLink number={to} />}
      </>
    ),
  },
];

interface RejectedProps {
  readonly rejected: readonly RejectedItem[];
  /** The line of each item of the list. */
  readonly lines: readonly number[];
}

/** The rows that are not sent, and why. */
function Rejected({ rejected, lines }: RejectedProps) {
  const [page, setPage] = useState(1);
  const pages = Math.ceil(rejected.length / REJECTED_PER_PAGE);
  const shown = Math.min(page, pages);
  const rows = rejected.slice((shown - 1) * REJECTED_PER_PAGE, shown * REJECTED_PER_PAGE).map((item) => ({
    index: item.index,
    line: (lines[item.index] ?? 0).toLocaleString('en-US'),
    to: item.to,
    reason: reasonOf(item, lines),
    code: item.code,
  }));
  return (
    <div className={styles.part}>
      <h3 className={styles.subtitle}>
        {rejected.length === 1 ? '1 row is not sent' : `${rejected.length.toLocaleString('en-US')} rows are not sent`}
      </h3>
      <DataTable label="Rows that are not sent" columns={rejectedColumns} rows={rows} keyOf={({ index }) => index} />
      {pages > 1 && <Pager page={shown} pages={pages} onTurn={setPage} />}
    </div>
  );
}
