import { type SubmitEvent, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ApiRequest } from '#contract/dashboard.js';
import { keysQuery, repeatCall } from '../../api/account.js';
import { site } from '../../site.js';
import { Moment } from '../../ui/moment.js';
import { Button, CopyButton } from '../../ui/button.js';
import { CodeWindow } from '../../ui/code.js';
import { Dialog } from '../../ui/dialog.js';
import { Field, TextArea } from '../../ui/field.js';
import { formText } from '../../ui/form.js';
import { Facts } from '../../ui/view.js';
import { ActionFailure } from '../../dashboard/failures/failures.js';
import { curlOf, fieldsOf, isRepeatable, type LoggedField, repetitionOf } from './request-call.js';
import { keyText, RequestStatus } from './request-parts.js';
import styles from './requests.module.css';

/** All logged data of a call, and ways to repeat the call. */
export function RequestDialog({ request, onClose }: { request: ApiRequest; onClose: () => void }) {
  const { at, method, path, requestId, durationMs, code, messageId, batchId, fields, times } = request;
  const { data: keys } = useQuery(keysQuery);
  const [isRepeating, setRepeating] = useState(false);
  const suffix = request.isTest ? '_test' : '';
  const command = (key = 'YOUR_API_KEY') => curlOf(request, site.url, `${key}${suffix}`);
  return (
    <Dialog title="Request" onClose={onClose}>
      <div className={styles.details}>
        <Facts
          facts={[
            ['Call', <code key="call">{`${method} ${path}`}</code>],
            ['Status', <RequestStatus key="status" {...request} />],
            ...(code === null ? [] : [['Error code', <code key="code">{code}</code>] as const]),
            ['Time', <Moment key="time" at={at} />],
            ...(times === 1
              ? []
              : [
                  ['Equal calls', `${times.toLocaleString('en-US')} within about a second; this is the first`] as const,
                ]),
            ['Duration', `${durationMs.toLocaleString('en-US')} ms`],
            ['Key', <bdi key="key">{keyText(request)}</bdi>],
            ...(messageId === null
              ? []
              : [['Message', <Id key="message" id={messageId} name="message id" />] as const]),
            ...(batchId === null ? [] : [['Bulk', <Id key="bulk" id={batchId} name="bulk id" />] as const]),
            ['Request id', <Id key="request" id={requestId} name="request id" />],
          ]}
        />
        <h3 className={styles.title}>Fields</h3>
        <pre className={styles.fields} tabIndex={0} role="region" aria-label="Fields" dir="auto">
          {JSON.stringify(JSON.parse(fields), null, 2)}
        </pre>
        {path.startsWith('/hooks/') ? (
          <p className={styles.note}>Only the connected product can make this call: its own secret proves it.</p>
        ) : (
          <div className={styles.command}>
            <CodeWindow title="Copy as curl" code={[[command(keys?.apiKey)]]}>
              <code>{command(keys?.masked)}</code>
            </CodeWindow>
          </div>
        )}
        <p className={styles.note}>
          Texts, codes, lists and whole numbers of your calls are never kept. Words in capitals stand in their places.
        </p>
        {isRepeatable(request) &&
          (isRepeating ? (
            <Repeat request={request} apiKey={keys?.apiKey} />
          ) : (
            <Button onClick={() => setRepeating(true)}>Repeat with a test key…</Button>
          ))}
      </div>
    </Dialog>
  );
}

function Id({ id, name }: { id: string; name: string }) {
  return (
    <span className={styles.id}>
      <code>{id}</code>
      <CopyButton
        text={id}
        label={`Copy the ${name}`}
        done={`${name[0]?.toUpperCase()}${name.slice(1)} copied to clipboard!`}
        look="plain"
      />
    </span>
  );
}

/** Makes the call with the account's test key, which sends nothing and costs nothing. */
function Repeat({ request, apiKey }: { request: ApiRequest; apiKey: string | undefined }) {
  const [fault, setFault] = useState<{ readonly name: string; readonly text: string }>();
  const repeat = useMutation({ mutationFn: repeatCall });
  const withheld = fieldsOf(request).filter(({ kind }) => kind !== 'kept');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const made = repetitionOf(request, Object.fromEntries(withheld.map(({ name }) => [name, formText(form, name)])));
    setFault(made.kind === 'fault' ? made : undefined);
    if (made.kind === 'call' && apiKey !== undefined)
      repeat.mutate({ method: request.method, path: made.path, body: made.body, testKey: `${apiKey}_test` });
  };
  return (
    <form className={styles.repeat} noValidate onSubmit={submit}>
      <h3 className={styles.title}>Repeat with a test key</h3>
      <p className={styles.note}>
        {withheld.length === 0
          ? 'Everything of this call was kept. Nothing is sent and nothing is charged.'
          : 'Enter again what was not kept. Nothing is sent and nothing is charged.'}
      </p>
      {withheld.map((field) => (
        <Withheld key={field.name} field={field} fault={fault?.name === field.name ? fault.text : undefined} />
      ))}
      <Button type="submit" look="primary" disabled={repeat.isPending || apiKey === undefined}>
        {repeat.isPending ? 'Loading...' : 'Repeat'}
      </Button>
      {repeat.data && (
        <div className={styles.command} role="status">
          <CodeWindow title={`Answer: ${repeat.data.status}`} code={[[repeat.data.body]]} />
        </div>
      )}
      <ActionFailure error={repeat.error} what="The call was not repeated." />
    </form>
  );
}

function Withheld({ field: { name, value, kind }, fault }: { field: LoggedField; fault: string | undefined }) {
  const common = { label: name, name, fault, placeholder: String(value), dir: 'auto' } as const;
  return kind === 'json' ? <TextArea {...common} rows={3} /> : <Field {...common} autoComplete="off" />;
}
