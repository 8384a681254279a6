import { useId, useRef, useState } from 'react';
import { limits } from '#contract/limits.js';
import { Fault, Select } from '../../ui/field.js';
import { Table } from '../../ui/surface.js';
import styles from './bulk.module.css';
import { textOfFile } from '#contract/csv.js';
import { columnNames, dataRows, guessMapping, type Mapping, readTable, type RecipientTable } from './recipients.js';

const FILE_BYTES_MAX = 20 * 1_048_576;
const SHOWN_ROWS = 3;

interface RecipientsFieldProps {
  readonly list: RecipientTable | undefined;
  /** Reason why the list cannot be sent. */
  readonly fault: string | undefined;
  readonly onChange: (list: RecipientTable | undefined) => void;
}

/** Origin of the list. */
type Source = { readonly kind: 'file'; readonly name: string; readonly isLegacy: boolean } | { readonly kind: 'typed' };

/** A CSV file, or numbers that are typed in. */
export function RecipientsField({ list, fault, onChange }: RecipientsFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [source, setSource] = useState<Source>({ kind: 'typed' });
  const [unreadable, setUnreadable] = useState<string>();
  const take = (text: string) => {
    const table = readTable(text);
    setUnreadable('fault' in table ? table.fault : undefined);
    onChange('fault' in table ? undefined : { table, mapping: guessMapping(table.rows) });
  };
  const refuse = (why: string) => {
    setUnreadable(why);
    onChange(undefined);
  };
  const takeFile = async (file: File) => {
    setTyped('');
    const text =
      file.size > FILE_BYTES_MAX
        ? { fault: `The file has more than ${FILE_BYTES_MAX / 1_048_576} MB. A bulk has at most 10,000 rows.` }
        : await read(file);
    if ('fault' in text) return refuse(text.fault);
    setSource({ kind: 'file', name: file.name, isLegacy: text.isLegacy });
    take(text.text);
  };
  const type = (text: string) => {
    setTyped(text);
    setSource({ kind: 'typed' });
    if (input.current) input.current.value = '';
    if (text.trim() !== '') take(text);
    else {
      setUnreadable(undefined);
      onChange(undefined);
    }
  };
  const shownFault = unreadable ?? fault;
  return (
    <fieldset className={styles.recipients}>
      <legend>Recipients</legend>
      <div className={styles.sources}>
        <div className={styles.field}>
          <label htmlFor={`${id}-file`}>CSV file</label>
          <input
            ref={input}
            id={`${id}-file`}
            type="file"
            accept=".csv,.txt,.tsv,text/csv,text/plain"
            aria-invalid={shownFault !== undefined && typed === '' ? true : undefined}
            aria-describedby={`${id}-hint ${id}-fault`}
            // The same file can be chosen again after it was changed.
            onClick={({ currentTarget }) => (currentTarget.value = '')}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void takeFile(file);
            }}
          />
          <p id={`${id}-hint`} className={styles.hint}>
            Up to {limits.bulkMessagesMax.toLocaleString('en-US')} rows, with commas, semicolons or tabs. Columns that
            the message does not use stay in your browser.
          </p>
        </div>
        <div className={styles.field}>
          <label htmlFor={`${id}-typed`}>Or numbers, one per line</label>
          <textarea
            id={`${id}-typed`}
            rows={4}
            value={typed}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={shownFault !== undefined && typed !== '' ? true : undefined}
            aria-describedby={`${id}-fault`}
            onChange={({ target }) => type(target.value)}
          />
        </div>
      </div>
      <div id={`${id}-fault`} role="alert">
        {shownFault !== undefined && <Fault>{shownFault}</Fault>}
      </div>
      {list && <ListSettings list={list} source={source} onChange={onChange} />}
    </fieldset>
  );
}

async function read(file: File) {
  try {
    return textOfFile(new Uint8Array(await file.arrayBuffer()));
  } catch (cause) {
    // The file was moved or changed after the choice (W3C File API, NotReadableError).
    if (cause instanceof DOMException) return { fault: 'The file could not be read. Choose it again.' };
    throw cause;
  }
}

interface ListSettingsProps {
  readonly list: RecipientTable;
  readonly source: Source;
  readonly onChange: (list: RecipientTable) => void;
}

/** Settings that map rows to recipients, and the first rows. */
function ListSettings({ list: { table, mapping }, source, onChange }: ListSettingsProps) {
  const columns = columnNames(table, mapping);
  const rows = table.count - (mapping.hasNames ? 1 : 0);
  const map = (change: Partial<Mapping>) => onChange({ table, mapping: { ...mapping, ...change } });
  const options = columns.map(({ title }, column) => [String(column), title] as const);
  return (
    <div className={styles.settings}>
      <p role="status">
        <strong>{rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`}</strong>
        {source.kind === 'file' && <> in {source.name}</>}
        {source.kind === 'file' &&
          source.isLegacy &&
          '. The file is not Unicode: check letters such as é in the preview.'}
      </p>
      <div className={styles.mapping}>
        {columns.length > 1 && (
          <Select
            label="Numbers are in"
            value={String(mapping.numberColumn)}
            options={options}
            onChange={(column) => map({ numberColumn: Number(column) })}
          />
        )}
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={mapping.hasNames}
            onChange={({ target }) => map({ hasNames: target.checked })}
          />
          The first row has the names of the columns
        </label>
      </div>
      {columns.length > 1 && (
        <Table label="First rows of the list">
          <thead>
            <tr>
              {columns.map(({ title, name }) => (
                <th key={name} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {dataRows(table, mapping)
              .slice(0, SHOWN_ROWS)
              .map(({ line, cells }) => (
                <tr key={line}>
                  {columns.map(({ name }, column) => (
                    <td key={name}>
                      <bdi>{cells[column]}</bdi>
                    </td>
                  ))}
                </tr>
              ))}
          </tbody>
        </Table>
      )}
    </div>
  );
}
