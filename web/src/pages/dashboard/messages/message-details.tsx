import type { SentDetailsAnswer } from '#contract/histories.js';
import { Card } from '../../../ui/card.js';
import { credits } from '../../../ui/credits.js';
import { Notice } from '../../../ui/notice.js';
import { DataTable } from '../../../dashboard/ui/data-table.js';
import { Facts } from '../../../dashboard/ui/facts.js';
import { StatusLabel } from '../../../dashboard/ui/status-label.js';
import { ledgerColumns } from '../billing/ledger-columns.js';
import styles from './message-details.module.css';
import { carrierErrorUrl, faultText } from './message-faults.js';
import { MessageWebhooks } from './message-webhooks.js';
import { Timeline } from './timeline.js';

/** They lead to the message, which is this one. */
const entryColumns = ledgerColumns.filter(({ title }) => title !== 'Details');

/** All that is known of one sent message. */
export function MessageDetails({ message }: { message: SentDetailsAnswer }) {
  const { timeline, ledger, messageId, error, carrierError, refunded } = message;
  return (
    <div className={styles.page}>
      {error !== null && (
        <Notice kind="bad">
          <div className={styles.fault}>
            <p>
              {faultText(error, carrierError)}{' '}
              {refunded > 0 ? `You were not charged: ${credits(refunded)} came back.` : ''}
            </p>
            {carrierError !== null && (
              <p>
                Carrier code{' '}
                <a href={carrierErrorUrl(carrierError)} rel="noreferrer">
                  {carrierError}
                </a>
              </p>
            )}
          </div>
        </Notice>
      )}
      <div className={styles.top}>
        <Card>
          <p className={styles.text} dir="auto">
            {message.message}
          </p>
          <Facts facts={factsOf(message)} />
        </Card>
        <Card>
          <h2 className={styles.title}>Timeline</h2>
          <Timeline steps={timeline} />
        </Card>
      </div>
      <section aria-label="Ledger entries">
        <h2 className={styles.title}>Ledger entries</h2>
        <DataTable
          label="Ledger entries"
          columns={entryColumns}
          rows={ledger}
          keyOf={({ kind, date }) => `${kind} ${date}`}
        />
      </section>
      <MessageWebhooks messageId={messageId} />
    </div>
  );
}

function factsOf(message: SentDetailsAnswer) {
  const { to, from, messageId, segments, encoding, refunded, reference, status } = message;
  return [
    ['Status', <StatusLabel key="status" status={status} />],
    ['To', to],
    ['From', from ?? 'Chosen when it is sent'],
    ['Message id', <code key="id">{messageId}</code>],
    ['Segments', `${segments} (${encoding})`],
    [
      'Price',
      refunded > 0
        ? `${credits(message.credits)}, ${refunded.toLocaleString('en-US')} refunded`
        : credits(message.credits),
    ],
    ['Reference', reference ?? 'None'],
  ] as const;
}
