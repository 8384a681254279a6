import { Autocomplete } from '@base-ui/react/autocomplete';
import { type RefObject, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../ui/button.js';
import { Palette, PaletteInput, paletteProps } from '../../ui/palette.js';
import styles from '../../ui/palette.module.css';
import { type DocsResult, findInDocs, useDocsIndex } from '../site/docs-index.js';
import { excerptOf, markedPieces } from './marked-text.js';

const RESULTS_MAX = 20;

interface DocsSearchProps extends SearchProps {
  /** The button that opens the search and gets the focus back afterwards. */
  readonly opener: RefObject<HTMLElement | null>;
}

/** Full-text search of the documentation: tolerates typos, and completes words. */
export function DocsSearch({ opener, ...search }: DocsSearchProps) {
  return (
    <Palette label="Search the docs" opener={opener} onClose={search.onClose} onRetry={() => search.setTyped('')}>
      <Search {...search} />
    </Palette>
  );
}

interface SearchProps {
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  readonly onClose: () => void;
}

function Search({ typed, setTyped, onClose }: SearchProps) {
  const navigate = useNavigate();
  const { index, hasFailed, load } = useDocsIndex();
  const results = useMemo(() => (index ? findInDocs(index, typed, RESULTS_MAX) : []), [index, typed]);
  const open = ({ path }: DocsResult) => {
    onClose();
    void navigate(path);
  };
  return (
    <Autocomplete.Root
      {...paletteProps}
      items={results}
      filter={null}
      itemToStringValue={({ heading }: DocsResult) => heading}
      value={typed}
      onValueChange={(text, { reason }) => reason !== 'item-press' && setTyped(text)}
    >
      <PaletteInput label="Search the docs" placeholder="Search the docs" closeLabel="Close search" onClose={onClose} />
      {hasFailed ? (
        <div role="alert" className={styles.failed}>
          <p>The search could not be loaded. Check your connection and try again.</p>
          <Button onClick={load}>Try again</Button>
        </div>
      ) : (
        <Autocomplete.Status className={styles.status}>
          {statusOf(typed, results.length, index !== undefined)}
        </Autocomplete.Status>
      )}
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
  );
}

function statusOf(typed: string, count: number, isLoaded: boolean): string {
  if (typed.trim() === '') return 'Pages, fields, error codes, calls.';
  if (!isLoaded) return 'Loading...';
  if (count === 0) return 'Nothing found.';
  return count === 1 ? '1 result' : `${count === RESULTS_MAX ? 'First ' : ''}${count} results`;
}

/** A text with the found words marked. */
function Marked({ text, terms }: { text: string; terms: readonly string[] }) {
  // Pieces have no identity but their position.
  return markedPieces(text, terms).map((piece, place) =>
    piece.isFound ? <mark key={place}>{piece.text}</mark> : piece.text,
  );
}
