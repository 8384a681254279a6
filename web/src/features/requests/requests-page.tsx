import { type SubmitEvent, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { ApiRequest } from '#contract/dashboard.js';
import { apiRequestsQuery } from '../../api/account.js';
import { messagePath, paths } from '../../paths.js';
import { Button, CopyButton } from '../../ui/button.js';
import { type Column, DataTable, When } from '../../ui/data-table.js';
import { Dialog } from '../../ui/dialog.js';
import { Field, Select } from '../../ui/field.js';
import { formText } from '../../ui/form.js';
import { newYorkTime } from '../../ui/format.js';
import { EmptyView, Facts, View } from '../../ui/view.js';
import { FailureNotice } from '../../dashboard/failures/failures.js';
import styles from './requests.module.css';

const filterNames = ['status', 'code', 'path', 'requestId'] as const;
type Filters = Readonly<Record<(typeof filterNames)[number], string>>;
const noFilters: Filters = { status: '', code: '', path: '', requestId: '' };

const statuses = [
  ['', 'All'],
  ['2xx', '2xx: answered'],
  ['4xx', '4xx: refused'],
  ['5xx', '5xx: failed'],
] as const;

/** The account's API calls of the last days, including refused ones. */
export default function RequestsPage() {
  const [address, setAddress] = useSearchParams();
  const filters = Object.fromEntries(filterNames.map((name) => [name, address.get(name) ?? ''])) as Filters;
  const key = JSON.stringify(filters);
  return (
    <View
      title="Requests"
      lead={
        'Every call made with your API keys, including refused ones. Texts and codes are never kept, and ' +
        'numbers are masked.'
      }
    >
      <FilterForm
        key={`form ${key}`}
        filters={filters}
        onFilter={(chosen) => setAddress(Object.entries(chosen).filter(([, value]) => value !== ''))}
      />
      <Requests key={key} filters={filters} onClear={() => setAddress([])} />
    </View>
  );
}

function FilterForm({ filters, onFilter }: { filters: Filters; onFilter: (filters: Filters) => void }) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const texts = {
      code: formText(form, 'code'),
      path: formText(form, 'path'),
      requestId: formText(form, 'requestId'),
    };
    onFilter({
      status: filters.status,
      code: texts.code.trim(),
      path: texts.path.trim(),
      requestId: texts.requestId.trim(),
    });
  };
  return (
    <form className={styles.filters} onSubmit={submit}>
      <Select
        label="Status"
        options={statuses}
        value={statuses.find(([value]) => value === filters.status)?.[0] ?? ''}
        onChange={(status) => onFilter({ ...filters, status })}
      />
      <Field label="Error code" name="code" defaultValue={filters.code} placeholder="no_credits" />
      <Field label="Path" name="path" defaultValue={filters.path} placeholder="/api/sendsms" />
      <Field label="Request id" name="requestId" defaultValue={filters.requestId} placeholder="X-Request-Id" />
      <Button type="submit">Search</Button>
    </form>
  );
}

function Requests({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  /** The cursors of the pages up to this one; the first page has none. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [shown, show] = useState<ApiRequest>();
  const cursor = cursors.at(-1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...apiRequestsQuery({ ...filters, cursor }),
    refetchOnMount: 'always',
  });
  const isFiltered = JSON.stringify(filters) !== JSON.stringify(noFilters);
  const isEmpty = data?.requests.length === 0 && cursors.length === 0 && data.nextCursor === null;
  if (error)
    return <FailureNotice error={error} what="Your requests could not be loaded." onRetry={() => void refetch()} />;
  if (isEmpty && isFiltered)
    return (
      <EmptyView title="No requests match these filters." text={`Requests are kept for ${data.keptDays} days.`}>
        <Button onClick={onClear}>Clear filters</Button>
      </EmptyView>
    );
  if (isEmpty)
    return (
      <EmptyView
        title={data.keptDays === 0 ? 'Requests are not logged here.' : 'No requests yet.'}
        text={data.keptDays > 0 && `Calls with your API keys are listed for ${data.keptDays} days.`}
      />
    );
  return (
    <>
      {data?.requests.length === 0 ? (
        <p role="status">No matches in the requests searched so far. Choose Next to search earlier ones.</p>
      ) : (
        <DataTable
          label="Requests"
          columns={columnsOpening(show)}
          rows={data?.requests}
          keyOf={({ id }) => id}
          isBusy={!data || isPlaceholderData}
        />
      )}
      <nav className={styles.pages} aria-label="Pages of requests">
        <Button onClick={() => void refetch()}>Refresh</Button>
        <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
          Previous
        </Button>
        <Button
          disabled={!data?.nextCursor || isPlaceholderData}
          onClick={() => data?.nextCursor && setCursors([...cursors, data.nextCursor])}
        >
          Next
        </Button>
      </nav>
      {shown && <RequestDialog request={shown} onClose={() => show(undefined)} />}
    </>
  );
}

function columnsOpening(open: (request: ApiRequest) => void): readonly Column<ApiRequest>[] {
  return [
    { title: 'Date', phone: 'time', cell: ({ at }, before) => <When at={at} before={before?.at} /> },
    {
      title: 'Call',
      phone: 'title',
      cell: (request) => (
        <button type="button" className={styles.open} data-open onClick={() => open(request)}>
          {request.method} {request.path}
        </button>
      ),
    },
    { title: 'Status', phone: 'state', cell: (request) => <Status {...request} /> },
    { title: 'Duration', isNumber: true, cell: ({ durationMs }) => `${durationMs.toLocaleString('en-US')} ms` },
    { title: 'Key', cell: (request) => <span className={styles.whole}>{keyText(request)}</span> },
    { title: 'About', phone: 'text', cell: (request) => <Subject {...request} /> },
  ];
}

function Status({ status, code }: ApiRequest) {
  return (
    <span className={status >= 400 ? styles.refused : undefined}>
      {status}
      {code !== null && (
        <>
          {' '}
          <code className={styles.whole}>{code}</code>
        </>
      )}
    </span>
  );
}

function keyText({ keyName, keyEnding, isTest }: ApiRequest): string {
  return `${keyName === null ? '' : `${keyName} `}••••${keyEnding}${isTest ? ' (test)' : ''}`;
}

function Subject({ messageId, batchId }: ApiRequest) {
  if (messageId === null && batchId === null) return '–';
  return (
    <Link className={styles.whole} to={messageId === null ? paths.dashboardBulk : messagePath(messageId)}>
      {messageId === null ? 'Bulk' : 'Message'}
    </Link>
  );
}

function RequestDialog({ request, onClose }: { request: ApiRequest; onClose: () => void }) {
  const { at, method, path, requestId, durationMs, messageId, batchId, fields } = request;
  return (
    <Dialog title="Request" onClose={onClose}>
      <div className={styles.details}>
        <Facts
          facts={[
            ['Call', <code key="call">{`${method} ${path}`}</code>],
            ['Status', <Status key="status" {...request} />],
            ['Time', `${newYorkTime(at)} New York time`],
            ['Duration', `${durationMs.toLocaleString('en-US')} ms`],
            ['Key', keyText(request)],
            ...(messageId === null ? [] : [['Message', <code key="message">{messageId}</code>] as const]),
            ...(batchId === null ? [] : [['Bulk', <code key="bulk">{batchId}</code>] as const]),
            ['Request id', <code key="request">{requestId}</code>],
          ]}
        />
        <CopyButton text={requestId} label="Copy the request id" done="Request id copied to clipboard!" look="plain" />
        <h3 className={styles.title}>Fields</h3>
        <pre className={styles.fields} tabIndex={0} role="region" aria-label="Fields" dir="auto">
          {JSON.stringify(JSON.parse(fields), null, 2)}
        </pre>
      </div>
    </Dialog>
  );
}
