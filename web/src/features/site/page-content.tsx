import { type ReactNode, useId, useState } from 'react';
import {
  anchorOf,
  type Entry,
  type RenderedBlock,
  type RenderedCode,
  type RenderedLanguage,
  type RenderedPage,
} from '../../content/page.js';
import { Prose } from '../../ui/page-frame.js';
import { RichText } from '../../ui/rich-text.js';
import { Notice, Table } from '../../ui/surface.js';
import type { SampleAnswer } from '../../api/visitor-calls.js';
import { CodeText, CodeWindow, plainText } from '../../ui/code.js';
import { showToast } from '../../ui/toast.js';
import styles from './page-content.module.css';
import { maskedKey, sampleRequest, useReaderKey, withKey } from './try-sample.js';

/** The content of a page: its introduction and sections. */
export function PageContent({ page: { intro, sections } }: { page: Pick<RenderedPage, 'intro' | 'sections'> }) {
  return (
    <Prose>
      <Blocks blocks={intro} of="" />
      {sections.map(({ title, blocks }) => [
        <h2 key={title} id={anchorOf(title)}>
          {title}
        </h2>,
        <Blocks key={`${title}…`} blocks={blocks} of={title} />,
      ])}
    </Prose>
  );
}

function Blocks({ blocks, of }: { blocks: readonly RenderedBlock[]; of: string }) {
  // Blocks are never reordered, so their position identifies them.
  return blocks.map((block, place) => <OneBlock key={place} block={block} of={of} />);
}

function OneBlock({ block, of }: { block: RenderedBlock; of: string }) {
  if (typeof block === 'string') return <p>{<RichText text={block} />}</p>;
  switch (block.kind) {
    case 'list':
    case 'steps':
      return <Items isOrdered={block.kind === 'steps'} items={block.items} />;
    case 'note':
      return (
        <Notice kind="info">
          <RichText text={block.text} />
        </Notice>
      );
    case 'table':
      return <WordsTable label={`${of}: ${block.head[0]}`} head={block.head} rows={block.rows} />;
    case 'entries':
      return <Entries entries={block.entries} />;
    case 'code':
      return <SampleWindow {...block} />;
    case 'languages':
      return <Languages languages={block.languages} />;
    case 'exchange':
      return <Exchange request={block.request} answers={block.answers} />;
  }
}

function Items({ isOrdered, items }: { isOrdered: boolean; items: readonly string[] }) {
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <List>
      {items.map((item) => (
        <li key={item}>
          <RichText text={item} />
        </li>
      ))}
    </List>
  );
}

function WordsTable({
  label,
  head,
  rows,
}: {
  label: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              <RichText text={title} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.join()}>
            {row.map((cell, column) => (
              <td key={head[column]} className={styles.cell}>
                <RichText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  return (
    <div className={styles.entries}>
      {entries.map(({ name, tag, text }) => (
        <div key={name} className={styles.entry}>
          <div>
            <h3 id={name}>{name}</h3>
            <p className={styles.tag}>{tag}</p>
          </div>
          <div>
            {text.map((paragraph) => (
              <p key={paragraph}>
                <RichText text={paragraph} />
              </p>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** One language is open at a time, even without JavaScript. */
function Languages({ languages }: { languages: readonly RenderedLanguage[] }) {
  const name = useId();
  return (
    <div className={styles.languages}>
      {languages.map(({ title, programs }, place) => (
        <details key={title} name={name} open={place === 0}>
          <summary>{title}</summary>
          <div className={styles.answers}>
            {programs.map((program) => (
              <SampleWindow key={program.title} {...program} />
            ))}
          </div>
        </details>
      ))}
    </div>
  );
}

interface ExchangeProps {
  readonly request: RenderedCode;
  readonly answers: readonly RenderedCode[];
}

/** A request beside its answer, or above it on narrow screens. Signed-in readers can try it with their test key. */
function Exchange({ request, answers }: ExchangeProps) {
  const key = useReaderKey();
  const [tried, setTried] = useState<SampleAnswer>();
  const [isTrying, setTrying] = useState(false);
  const trial = key === undefined ? undefined : sampleRequest(plainText(withKey(request.code, key)));
  const [first, ...others] = answers;
  const shown: readonly RenderedCode[] = tried
    ? [{ kind: 'code', title: `Your answer, HTTP ${tried.status}: ${request.title}`, code: [[tried.body]] }, ...others]
    : answers;

  const tryIt = async () => {
    if (!trial || isTrying) return;
    setTrying(true);
    try {
      const { trySample } = await import('../../api/visitor-calls.js');
      setTried(await trySample(trial));
    } catch {
      showToast('Pennytext could not be reached. Check your connection and try again.');
    } finally {
      setTrying(false);
    }
  };
  return (
    <div className={styles.exchange}>
      <SampleWindow
        {...request}
        action={
          trial &&
          first && (
            <button type="button" className={styles.try} disabled={isTrying} onClick={() => void tryIt()}>
              {isTrying ? 'Loading...' : 'Try it'}
            </button>
          )
        }
      />
      <div className={styles.exchangeAnswers} aria-live="polite">
        {shown.map((answer) => (
          <SampleWindow key={answer.title} {...answer} />
        ))}
      </div>
    </div>
  );
}

/** Documentation code with the reader's own test key, if known: masked on the page, readable on the clipboard. */
function SampleWindow({ title, code, action }: Omit<RenderedCode, 'kind'> & { readonly action?: ReactNode }) {
  const key = useReaderKey();
  if (key === undefined) return <CodeWindow title={title} code={code} action={action} />;
  return (
    <CodeWindow title={title} code={withKey(code, key)} action={action}>
      <CodeText code={withKey(code, maskedKey(key))} />
    </CodeWindow>
  );
}
