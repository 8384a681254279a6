import { Autocomplete } from '@base-ui/react/autocomplete';
import type MiniSearch from 'minisearch';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { Palette, PaletteInput, paletteProps } from '../../ui/palette.js';
import styles from '../../ui/palette.module.css';
import { type DocsResult, findInDocs, loadDocsIndex } from '../site/docs-index.js';

const RESULTS_MAX = 20;
const EXCERPT_CHARACTERS = 150;

/** Full-text search of the documentation: tolerates typos, and completes words. */
export function DocsSearch({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [index, setIndex] = useState<MiniSearch>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    loadDocsIndex().then(setIndex, () => setFailed(true));
  }, []);
  const results = useMemo(() => (index ? findInDocs(index, typed, RESULTS_MAX) : []), [index, typed]);
  const open = ({ path }: DocsResult) => {
    onClose();
    void navigate(path);
  };
  return (
    <Palette label="Search the docs" onClose={onClose}>
      <Autocomplete.Root
        {...paletteProps}
        items={results}
        filter={null}
        itemToStringValue={({ heading }: DocsResult) => heading}
        value={typed}
        onValueChange={(text, { reason }) => reason !== 'item-press' && setTyped(text)}
      >
        <PaletteInput
          label="Search the docs"
          placeholder="Search the docs"
          closeLabel="Close search"
          onClose={onClose}
        />
        <Autocomplete.Status className={styles.status}>
          {statusOf(typed, results.length, index, hasFailed)}
        </Autocomplete.Status>
        <Autocomplete.List className={styles.list}>
          {(result: DocsResult) => (
            <Autocomplete.Item
              key={result.path + result.heading}
              value={result}
              className={`${styles.item} ${styles.result}`}
              onClick={() => open(result)}
            >
              <span className={styles.page}>{result.page}</span>
              <strong>
                <Marked text={result.heading} terms={result.terms} />
              </strong>
              <span>
                <Marked text={excerptOf(result)} terms={result.terms} />
              </span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Palette>
  );
}

function statusOf(typed: string, count: number, index: MiniSearch | undefined, hasFailed: boolean): string {
  if (hasFailed) return 'The search could not be loaded. Check your connection and open it again.';
  if (typed.trim() === '') return 'Pages, fields, error codes, calls.';
  if (!index) return 'Loading...';
  if (count === 0) return 'Nothing found.';
  return count === 1 ? '1 result' : `${count === RESULTS_MAX ? 'First ' : ''}${count} results`;
}

const escaped = (terms: readonly string[]) => terms.map((term) => term.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('|');

/** The part of the text around the first term. */
function excerptOf({ text, terms }: DocsResult): string {
  const at = text.search(new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped(terms)})`, 'iu'));
  const start = at > 60 ? text.indexOf(' ', at - 50) + 1 : 0;
  const end = start + EXCERPT_CHARACTERS;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

function Marked({ text, terms }: { text: string; terms: readonly string[] }) {
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${escaped(terms)})(?![\\p{L}\\p{N}])`, 'iu'));
  // Every second part is a term; parts have no identity but their position.
  return parts.map((part, place) => (place % 2 === 1 ? <mark key={place}>{part}</mark> : part));
}
