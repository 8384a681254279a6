import { Link, useLocation, useSearchParams } from 'react-router';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { Moment } from '../../ui/moment.js';
import { Tabs } from '../../ui/tabs.js';
import { View } from '../../ui/view.js';
import { Button } from '../../ui/button.js';
import { useForm } from '../../ui/form.js';
import { Notice } from '../../ui/surface.js';
import { RefusalNotice } from '../composer/refusal-notice.js';
import { type Composed, MessageComposer, nothingComposed } from '../composer/message-composer.js';
import type { StoredFile } from '../composer/files.js';
import { useFiles } from '../composer/use-files.js';
import { instantOf, timeFault } from '../composer/send-time.js';
import { BatchList, OneBatch } from './batches.js';
import { batchesPath, hasChanged, useSendBulk, usePreview } from './use-bulk.js';
import { SentBulk } from './batch-progress.js';
import { BulkPreviewCard } from './bulk-preview.js';
import styles from './bulk.module.css';
import { columnNames, faultOfTable, otherCharactersIn, type RecipientTable, variablesOf } from './recipients.js';
import { RecipientsField } from './recipients-field.js';
import { UnansweredBulks } from './unanswered.js';

const tabs = [
  { name: 'new', title: 'New bulk' },
  { name: 'batches', title: 'Batches' },
] as const;

/** The batch that the address names, or else the composer and the list of batches. */
export default function BulkPage() {
  const [address, setAddress] = useSearchParams();
  const batchId = address.get('id');
  if (batchId !== null) return <OneBatch id={batchId} />;
  const chosen = address.get('tab') === 'batches' ? 'batches' : 'new';
  return (
    <View title="Send in Bulk" lead="One message for everyone in a list.">
      <Tabs
        label="Send in Bulk"
        tabs={tabs}
        chosen={chosen}
        onChoose={(tab) => setAddress(tab === 'batches' ? { tab } : {}, { replace: true, preventScrollReset: true })}
      >
        {chosen === 'new' ? <BulkComposer /> : <BatchList />}
      </Tabs>
    </View>
  );
}

interface Draft extends Composed {
  readonly list: RecipientTable | undefined;
}

/** Message from the composer for one recipient. Not part of the address, which servers log. */
function messageIn(state: unknown): string {
  const given: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'message') : undefined;
  return typeof given === 'string' ? given : '';
}

/** Composes a bulk: recipients, message, preview, and its sending. */
function BulkComposer() {
  const { state } = useLocation() as { state: unknown };
  const [draft, setDraft] = useState<Draft>({ ...nothingComposed, message: messageIn(state), list: undefined });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const files = useFiles();
  const { list, message, from, encoding, reference, time, asLinks } = draft;
  const [unanswered] = useState(() => new UnansweredBulks());
  const { check, reset, isChecking, preview, failure } = usePreview(unanswered);
  const sending = useSendBulk(unanswered, () => {
    if (preview) check(preview.draft);
  });
  const helpId = useId();
  const columns = list ? columnNames(list.table, list.mapping) : [];
  // A long list is searched for characters when typing pauses.
  const settled = useDeferredValue(message);
  const others = useMemo(() => otherCharactersIn(list, settled, encoding), [list, settled, encoding]);
  const fault = list && faultOfTable(list.table, list.mapping);
  const isReady =
    list !== undefined && fault === undefined && !files.isUnready && (message.trim() !== '' || files.stored.length > 0);
  const isCurrent =
    preview !== undefined &&
    preview.draft.table === list?.table &&
    preview.draft.mapping === list.mapping &&
    preview.draft.message === message &&
    preview.draft.encoding === encoding &&
    preview.draft.from === (from || undefined) &&
    preview.draft.reference === reference.trim() &&
    preview.draft.asLinks === asLinks &&
    areSame(preview.draft.files, files.stored) &&
    preview.draft.sendAt === instantOf(time)?.toISOString();
  const { faults, forgive, onSubmit } = useForm({
    read: () => {
      const late = timeFault(time, new Date());
      if (late !== undefined) return { faults: { time: late } };
      const sendAt = instantOf(time)?.toISOString();
      return {
        body: {
          message,
          from: from || undefined,
          encoding,
          reference: reference.trim(),
          sendAt,
          files: files.stored,
          asLinks,
        },
      };
    },
    send: (bulk) => {
      if (!isReady || isChecking) return;
      sending.reset();
      check({ ...list, ...bulk });
    },
  });
  if (sending.answer)
    return (
      <SentBulk
        answer={sending.answer}
        onAnother={() => {
          sending.reset();
          reset();
          // Keeps the chosen encoding and sender.
          change({ ...nothingComposed, encoding, from, list: undefined });
          files.clear();
        }}
      />
    );
  return (
    <div className={styles.steps}>
      {!preview && <UnansweredNotice at={unanswered.latest()?.at} />}
      <div className={styles.columns} data-beside={preview !== undefined || undefined}>
        <MessageComposer
          composed={draft}
          onChange={(part) => {
            change(part);
            if (part.time) forgive('time');
          }}
          faults={{ message: unknownColumns(list, columns, message), time: faults.time }}
          recipients={<RecipientsField list={list} fault={fault} onChange={(read) => change({ list: read })} />}
          columns={columns}
          figures={
            <p id={helpId} className={styles.hint}>
              {columns.length > 1
                ? 'Columns of the list can stand in the message:'
                : 'With more columns in the list, such as names, each person can get a text of their own.'}
            </p>
          }
          describedBy={helpId}
          isForMany
          files={files}
          filesFault={undefined}
          offersLinks
          otherCharacters={others}
          referenceHint="Your own name for these messages. A column called reference gives each message one of its own."
          onSubmit={onSubmit}
        >
          <div className={styles.act}>
            <Button type="submit" look={isCurrent ? 'plain' : 'primary'} disabled={!isReady || isChecking}>
              {isChecking ? 'Loading...' : 'Preview'}
            </Button>
            <p className={styles.hint}>The preview sends nothing and charges nothing.</p>
          </div>
          {failure && <RefusalNotice failure={failure} isBesideField={false} isLive={false} />}
        </MessageComposer>
        <div className={styles.side}>
          {preview && !isCurrent && (
            <p className={styles.hint} role="status">
              The list, the message or how it is sent has changed. Preview it again to send it.
            </p>
          )}
          {isCurrent && (
            <BulkPreviewCard
              preview={preview}
              isSending={sending.isSending}
              onSend={() => sending.send(preview)}
              onPlain={(plain) => {
                change({ message: plain });
                check({ ...preview.draft, message: plain });
              }}
            >
              {sending.failure && hasChanged(sending.failure) ? (
                <Notice kind="bad" role="alert">
                  Something has changed since the preview, so nothing was sent and you were not charged. This is the
                  current preview.
                </Notice>
              ) : (
                sending.failure && <RefusalNotice failure={sending.failure} isBesideField={false} isLive />
              )}
            </BulkPreviewCard>
          )}
        </div>
      </div>
    </div>
  );
}

function areSame(some: readonly StoredFile[], others: readonly StoredFile[]): boolean {
  return some.length === others.length && some.every(({ mediaId }, place) => mediaId === others[place]?.mediaId);
}

/** Warns after a reload that a bulk without an answer may have been sent. */
function UnansweredNotice({ at }: { at: number | undefined }) {
  if (at === undefined) return null;
  return (
    <Notice kind="info">
      The bulk that you sent on <Moment at={new Date(at).toISOString()} /> was not answered. Look at{' '}
      <Link to={batchesPath}>all batches</Link> to see whether it was sent. If you choose the same list and message
      again, it is sent and charged only once.
    </Notice>
  );
}

/** The columns that a message names and the list does not have. */
function unknownColumns(
  list: RecipientTable | undefined,
  columns: ReturnType<typeof columnNames>,
  message: string,
): string | undefined {
  const unknown = list ? variablesOf(message).filter((name) => columns.every((column) => column.name !== name)) : [];
  return unknown.length === 0 ? undefined : `No column is called ${unknown.map((name) => `{{${name}}}`).join(', ')}.`;
}
