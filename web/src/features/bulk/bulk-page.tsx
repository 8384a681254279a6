import { Link, useSearchParams } from 'react-router';
import { useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import type { SmsEncoding } from '#contract/messages.js';
import { Tabs } from '../../ui/tabs.js';
import { View } from '../../ui/view.js';
import { Button } from '../../ui/button.js';
import { Fault } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';
import { newYorkTime } from '../../ui/format.js';
import { Card, Notice } from '../../ui/surface.js';
import { EncodingChoice, RefusalNotice, TimeChoice } from '../composer/composer-fields.js';
import { instantOf, type SendTime, timeFault } from '../composer/outgoing-message.js';
import { BatchList, OneBatch } from './batches.js';
import { batchesPath, hasChanged, useBulkSending, usePreview } from './use-bulk.js';
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

/** A batch if the address names one, or else the composer and the list of batches. */
export default function BulkPage() {
  const [address, setAddress] = useSearchParams();
  const batchId = address.get('id');
  if (batchId !== null) return <OneBatch id={batchId} />;
  const chosen = address.get('tab') === 'batches' ? 'batches' : 'new';
  return (
    <View title="Send in Bulk" lead="Write one message, and send it to everyone in a list.">
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

interface Draft {
  readonly list: RecipientTable | undefined;
  readonly message: string;
  readonly encoding: SmsEncoding;
  readonly time: SendTime;
}

/** The encoding stays as it was chosen. */
const emptyDraft = { list: undefined, message: '', time: { kind: 'now' } } as const;

/** Composes a bulk: recipients, message, preview, and its sending. */
function BulkComposer() {
  const [draft, setDraft] = useState<Draft>({ ...emptyDraft, encoding: 'auto' });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const { list, message, encoding, time } = draft;
  const [unanswered] = useState(() => new UnansweredBulks());
  const { check, reset, isChecking, preview, failure } = usePreview(unanswered);
  const sending = useBulkSending(unanswered, () => {
    if (preview) check(preview.draft);
  });
  const fault = list && faultOfTable(list.table, list.mapping);
  const isReady = list !== undefined && fault === undefined && message.trim() !== '';
  const isCurrent =
    preview !== undefined &&
    preview.draft.table === list?.table &&
    preview.draft.mapping === list.mapping &&
    preview.draft.message === message &&
    preview.draft.encoding === encoding &&
    preview.draft.sendAt === instantOf(time)?.toISOString();
  const { faults, forgive, onSubmit } = useForm({
    read: () => {
      const late = timeFault(time, new Date());
      if (late !== undefined) return { faults: { time: late } };
      return { body: { message, encoding, sendAt: instantOf(time)?.toISOString() } };
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
          change(emptyDraft);
        }}
      />
    );
  return (
    <div className={styles.steps}>
      {!preview && <UnansweredNotice at={unanswered.latest()?.at} />}
      <Card>
        <form className={styles.form} noValidate onSubmit={onSubmit}>
          <RecipientsField list={list} fault={fault} onChange={(read) => change({ list: read })} />
          <TemplateField list={list} message={message} onChange={(text) => change({ message: text })} />
          <Encoding
            list={list}
            message={message}
            encoding={encoding}
            onChange={(chosen) => change({ encoding: chosen })}
          />
          <TimeChoice
            time={time}
            fault={faults.time}
            onChange={(chosen) => {
              change({ time: chosen });
              forgive('time');
            }}
          />
          <div className={styles.act}>
            <Button type="submit" look={isCurrent ? 'plain' : 'primary'} disabled={!isReady || isChecking}>
              {isChecking ? 'Loading...' : 'Preview'}
            </Button>
            <p className={styles.hint}>The preview sends nothing and charges nothing.</p>
          </div>
          {failure && <RefusalNotice failure={failure} isBesideField={false} isLive={false} />}
        </form>
      </Card>
      {preview && !isCurrent && (
        <p className={styles.hint} role="status">
          The list, the message or how it is sent has changed. Preview it again to send it.
        </p>
      )}
      {isCurrent && (
        <BulkPreviewCard preview={preview} isSending={sending.isSending} onSend={() => sending.send(preview)}>
          {sending.failure && hasChanged(sending.failure) ? (
            <Notice kind="bad" role="alert">
              Something has changed since the preview, so nothing was sent and you were not charged. This is the current
              preview.
            </Notice>
          ) : (
            sending.failure && <RefusalNotice failure={sending.failure} isBesideField={false} isLive />
          )}
        </BulkPreviewCard>
      )}
    </div>
  );
}

/** After a reload: a bulk may have been sent whose answer did not arrive. */
function UnansweredNotice({ at }: { at: number | undefined }) {
  if (at === undefined) return null;
  return (
    <Notice kind="info">
      The bulk that you sent on {newYorkTime(new Date(at).toISOString())} New York time was not answered. Look at{' '}
      <Link to={batchesPath}>all batches</Link> to see whether it was sent. If you choose the same list and message
      again, it is sent and charged only once.
    </Notice>
  );
}

interface OfListAndMessage {
  readonly list: RecipientTable | undefined;
  readonly message: string;
}

interface EncodingProps extends OfListAndMessage {
  readonly encoding: SmsEncoding;
  readonly onChange: (encoding: SmsEncoding) => void;
}

/** The encoding of all messages. A long list is searched for characters when typing pauses. */
function Encoding({ list, message, encoding, onChange }: EncodingProps) {
  const settled = useDeferredValue(message);
  const others = useMemo(() => otherCharactersIn(list, settled, encoding), [list, settled, encoding]);
  return <EncodingChoice encoding={encoding} otherCharacters={others} onChange={onChange} />;
}

interface TemplateFieldProps extends OfListAndMessage {
  readonly onChange: (message: string) => void;
}

/** The message, with a button for each column that it can use. */
function TemplateField({ list, message, onChange }: TemplateFieldProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const columns = list ? columnNames(list.table, list.mapping) : [];
  const unknown = list ? variablesOf(message).filter((name) => columns.every((column) => column.name !== name)) : [];
  const insert = (name: string) => {
    const { selectionStart = message.length, selectionEnd = message.length } = area.current ?? {};
    onChange(`${message.slice(0, selectionStart)}{{${name}}}${message.slice(selectionEnd)}`);
    area.current?.focus();
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Message</label>
      <textarea
        ref={area}
        id={id}
        dir="auto"
        rows={5}
        value={message}
        aria-invalid={unknown.length > 0 ? true : undefined}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => onChange(target.value)}
      />
      <div id={`${id}-help`}>
        {unknown.length > 0 && (
          <Fault role="alert">No column is called {unknown.map((name) => `{{${name}}}`).join(', ')}.</Fault>
        )}
        <p className={styles.hint}>
          {columns.length > 1
            ? 'Columns of the list can stand in the message:'
            : 'With more columns in the list, such as names, each person can get a text of their own.'}
        </p>
      </div>
      {columns.length > 1 && (
        <div className={styles.chips} role="group" aria-label="Insert a column">
          {columns.map(({ name, title }) => (
            <button key={name} type="button" className={styles.chip} title={title} onClick={() => insert(name)}>
              {`{{${name}}}`}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
