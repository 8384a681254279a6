import { type ReactNode, useId, useState, useSyncExternalStore } from 'react';
import { language } from '../../browser-storage.js';
import {
  anchorOf,
  type Entry,
  type RenderedBlock,
  type RenderedCode,
  type RenderedPage,
  type RenderedTabs,
} from '../../content/page.js';
import { paths, sampleLanguages } from '../../paths.js';
import { Prose } from '../../ui/page-frame.js';
import { RichText } from '../../ui/rich-text.js';
import { Notice, Table } from '../../ui/surface.js';
import type { SampleAnswer } from '../../api/visitor-calls.js';
import { CodeText, CodeWindow, plainText } from '../../ui/code.js';
import { showToast } from '../../ui/toast.js';
import styles from './page-content.module.css';
import { maskedKey, needsKey, readerKey, sampleRequest, useReaderKey, withKey } from './try-sample.js';

/** The content of a page: its introduction and sections. */
export function PageContent({ page: { intro, sections } }: { page: Pick<RenderedPage, 'intro' | 'sections'> }) {
  return (
    <Prose>
      <Blocks blocks={intro} of="" />
      {sections.map(({ title, blocks }) => [
        <h2 key={title} id={anchorOf(title)}>
          <HeadingLink id={anchorOf(title)}>{title}</HeadingLink>
        </h2>,
        <Blocks key={`${title}…`} blocks={blocks} of={title} />,
      ])}
    </Prose>
  );
}

/** A heading that links to itself, and copies the link on a click. */
function HeadingLink({ id, children }: { id: string; children: string }) {
  const copy = () => {
    // Where the browser forbids copying, the address bar has the link.
    const link = new URL(`#${id}`, location.href).href;
    navigator.clipboard?.writeText(link).then(
      () => showToast('Link copied.'),
      () => undefined,
    );
  };
  return (
    <a className={styles.heading} href={`#${id}`} onClick={copy}>
      {children}
    </a>
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
      return <LanguageTabs {...block} />;
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

/** Columns whose cells need no title when they are stacked on phones. */
const plainTitles: ReadonlySet<string | undefined> = new Set(['Required', 'Description']);

const phoneTitle = (title: string | undefined) => (plainTitles.has(title) ? undefined : title?.replaceAll('`', ''));

/** Shows whether a field is required: yes or no below the heading, or a word on phones. */
function Required({ answer }: { answer: string }) {
  return (
    <>
      <span className={styles.answer}>
        <RichText text={answer} />
      </span>
      <span className={styles.required}>
        {answer === 'yes' ? 'Required' : answer === 'no' ? 'Optional' : `Required: ${answer}`}
      </span>
    </>
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
    <Table label={label} stacks>
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
              <td key={head[column]} className={styles.cell} data-title={phoneTitle(head[column])}>
                {head[column] === 'Required' ? <Required answer={cell} /> : <RichText text={cell} />}
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
            <h3 id={name}>
              <HeadingLink id={name}>{name}</HeadingLink>
            </h3>
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

/**
 * The programs for a call, in the language that the reader last chose anywhere. The style sheet
 * shows the chosen program before scripts run.
 */
function LanguageTabs({ title, programs, action }: Omit<RenderedTabs, 'kind'> & { readonly action?: ReactNode }) {
  const key = useReaderKey();
  const name = useId();
  const chosen = useSyncExternalStore(language.onChange, language.chosen, () => undefined);
  const shown = programs.find((program) => program.language === chosen) ?? programs[0];
  if (!shown) return null;
  return (
    <CodeWindow
      title={`${sampleLanguages[shown.language]}: ${title}`}
      code={key === undefined ? shown.code : withKey(shown.code, key)}
      action={action}
      heading={
        <fieldset className={styles.tabs}>
          <legend className="visually-hidden">Language: {title}</legend>
          {programs.map((program) => (
            <label key={program.language}>
              <input
                type="radio"
                name={name}
                checked={program === shown}
                onChange={() => language.choose(program.language)}
              />
              {sampleLanguages[program.language]}
            </label>
          ))}
        </fieldset>
      }
    >
      <span className={styles.programs}>
        {programs.map((program) => (
          <span key={program.language} className={styles.program} data-program={program.language}>
            <CodeText code={key === undefined ? program.code : withKey(program.code, maskedKey(key))} />
          </span>
        ))}
      </span>
    </CodeWindow>
  );
}

const signInText =
  `[Sign in](${paths.login}) and this button makes the call with a test key of your own: everything is checked, ` +
  'nothing is sent to a phone, and nothing is charged. A new account is free.';

interface ExchangeProps {
  readonly request: RenderedCode | RenderedTabs;
  readonly answers: readonly RenderedCode[];
}

/**
 * A request beside its answer, or above it on narrow screens. Signed-in readers can try it with
 * their test key; others learn how.
 */
function Exchange({ request, answers }: ExchangeProps) {
  const key = useReaderKey();
  const [tried, setTried] = useState<SampleAnswer>();
  const [isTrying, setTrying] = useState(false);
  // All languages send the request of the first, curl.
  const code = request.kind === 'code' ? request.code : request.programs[0]?.code;
  const text = code && plainText(code);
  const canTry = text !== undefined && sampleRequest(text) !== undefined;
  const [isRefused, setRefused] = useState(false);
  const [first, ...others] = answers;
  const shown: readonly RenderedCode[] = tried
    ? [{ kind: 'code', title: `Your answer, HTTP ${tried.status}: ${request.title}`, code: tried.code }, ...others]
    : answers;

  const tryIt = async () => {
    if (isTrying || code === undefined || text === undefined) return;
    setTrying(true);
    try {
      // The key may still be loading.
      const known = needsKey(text) ? await readerKey() : '';
      setRefused(known === undefined);
      const trial = known === undefined ? undefined : sampleRequest(plainText(withKey(code, known)));
      if (!trial) return;
      const { trySample } = await import('../../api/visitor-calls.js');
      setTried(await trySample(trial));
    } catch {
      showToast('Pennytext could not be reached. Check your connection and try again.');
    } finally {
      setTrying(false);
    }
  };
  const action = canTry && first && (
    <button type="button" className={styles.try} disabled={isTrying} onClick={() => void tryIt()}>
      {isTrying ? 'Loading...' : 'Try it'}
    </button>
  );
  return (
    <div className={styles.exchange}>
      {request.kind === 'code' ? (
        <SampleWindow {...request} action={action} />
      ) : (
        <LanguageTabs {...request} action={action} />
      )}
      <div className={styles.exchangeAnswers} aria-live="polite">
        {isRefused && key === undefined && (
          <Notice kind="info">
            <RichText text={signInText} />
          </Notice>
        )}
        {shown.map((answer) => (
          <SampleWindow key={answer.title} {...answer} />
        ))}
      </div>
    </div>
  );
}

/**
 * Documentation code with the reader's own test key, if known: masked on the page, readable on the
 * clipboard.
 */
function SampleWindow({ title, code, action }: Omit<RenderedCode, 'kind'> & { readonly action?: ReactNode }) {
  const key = useReaderKey();
  if (key === undefined) return <CodeWindow title={title} code={code} action={action} />;
  return (
    <CodeWindow title={title} code={withKey(code, key)} action={action}>
      <CodeText code={withKey(code, maskedKey(key))} />
    </CodeWindow>
  );
}
