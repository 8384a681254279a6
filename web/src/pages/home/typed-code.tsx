import { memo, useEffect } from 'react';
import type { Code, TokenKind } from '../../ui/code.js';
import { plainText } from '../../ui/code.js';
import colours from '../../ui/code-text.module.css';
import styles from './typed-code.module.css';
import { useTypewriter } from './use-typewriter.js';

/** Code that is typed, character by character. What is still to come stands there unseen, so that nothing moves. */
export function TypedCode({ code, onTyped }: { code: Code; onTyped: () => void }) {
  const text = plainText(code);
  const typed = useTypewriter(text);
  const isDone = typed === text.length;
  useEffect(() => {
    if (isDone) onTyped();
  }, [isDone, onTyped]);

  let start = 0;
  return (
    <code className={`${colours.code} ${styles.code}`} data-waiting={typed === undefined || undefined}>
      {code.map(([piece, kind], place) => {
        const characters = typed === undefined ? piece.length : Math.min(Math.max(typed - start, 0), piece.length);
        start += piece.length;
        // A piece has no name but its place.
        // oxlint-disable-next-line react/no-array-index-key
        return <TypedPiece key={place} text={piece} kind={kind} characters={characters} />;
      })}
    </code>
  );
}

interface TypedPieceProps {
  readonly text: string;
  readonly kind: TokenKind | undefined;
  /** How many of its characters are typed. */
  readonly characters: number;
}

/** Drawn again only while it is being typed: fifty times a second for the whole would be felt on a slow phone. */
const TypedPiece = memo(function TypedPiece({ text, kind, characters }: TypedPieceProps) {
  return (
    <span className={kind && colours[kind]}>
      {text.slice(0, characters)}
      {characters < text.length && <span className={styles.rest}>{text.slice(characters)}</span>}
    </span>
  );
});
