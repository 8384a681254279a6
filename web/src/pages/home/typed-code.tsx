import { memo, useEffect } from 'react';
import { plainText, type Code, type Token, type TokenKind } from '../../ui/code.js';
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

  return (
    <code className={`${colours.code} ${styles.code}`} data-waiting={typed === undefined || undefined}>
      {typedParts(code, typed).map(({ piece: [piece, kind], characters }, place) => (
        // A piece has no name but its place.
        <TypedPiece key={place} text={piece} kind={kind} characters={characters} />
      ))}
    </code>
  );
}

/** How much of each piece is there once so many characters of the whole are typed; all of it before typing begins. */
function typedParts(code: Code, typed = Infinity): { piece: Token; characters: number }[] {
  let left = typed;
  return code.map((piece) => {
    const characters = Math.min(left, piece[0].length);
    left -= characters;
    return { piece, characters };
  });
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
