import { memo, useCallback, useEffect, useId, useState } from 'react';
import { type Code, CodeWindow, plainText, type Token, type TokenKind } from '../../ui/code.js';
import colors from '../../ui/code.module.css';
import { useHydrated } from '../../ui/hooks.js';
import { Mark } from '../../ui/icons.js';
import styles from './typed-sample.module.css';
import { useTypewriter } from './use-typewriter.js';

/** A program that sends one message. */
export interface HomeSample {
  /** Language name in the picker. */
  readonly language: 'python' | 'curl' | 'ruby' | 'nodejs' | 'javascript';
  readonly code: Code;
}

/** The message in every sample; it arrives on the phone. */
const sampleMessage = 'Hello from Pennytext';

/** Types a sample in the chosen language and shows the phone on which its message arrives. */
export function TypedSample({ samples }: { samples: readonly [HomeSample, ...HomeSample[]] }) {
  const [shown, show] = useState(samples[0]);
  const [typed, setTyped] = useState<HomeSample>();
  const onTyped = useCallback(() => setTyped(shown), [shown]);
  const isWaiting = !useHydrated();
  const group = useId();
  const choose = (sample: HomeSample) => {
    show(sample);
    setTyped(undefined);
  };
  return (
    <div className={styles.stage}>
      <fieldset className={styles.picker}>
        <legend className="visually-hidden">Sample language</legend>
        {samples.map((sample) => (
          <label key={sample.language} className={styles.language}>
            <input type="radio" name={group} checked={sample === shown} onChange={() => choose(sample)} />
            {sample.language}
          </label>
        ))}
      </fieldset>
      <div className={styles.window}>
        <CodeWindow title={shown.language} code={shown.code}>
          <TypedCode code={shown.code} onTyped={onTyped} />
        </CodeWindow>
      </div>
      <Phone message={sampleMessage} hasArrived={isWaiting || typed === shown} isWaiting={isWaiting} />
    </div>
  );
}

interface PhoneProps {
  readonly message: string;
  readonly hasArrived: boolean;
  /** True until scripts run: the message may still be animated. */
  readonly isWaiting: boolean;
}

/** A small phone on which the sample's message arrives. */
function Phone({ message, hasArrived, isWaiting }: PhoneProps) {
  return (
    <figure className={styles.phone} aria-label="The recipient’s phone">
      <div className={styles.screen}>
        <div className={styles.top} aria-hidden="true">
          <span className={styles.coin}>
            <Mark size={26} />
          </span>
          <span className={styles.sender}>+1 500 555 0006</span>
        </div>
        {(!hasArrived || isWaiting) && (
          <p className={styles.typing} data-waiting={isWaiting || undefined} aria-hidden="true">
            <span />
            <span />
            <span />
          </p>
        )}
        {hasArrived && (
          <div className={styles.arrived} data-waiting={isWaiting || undefined}>
            <p className={styles.bubble}>{message}</p>
            <p className={styles.state}>Just now</p>
          </div>
        )}
      </div>
    </figure>
  );
}

/** Code typed character by character. The rest is invisible but laid out, so that nothing moves. */
function TypedCode({ code, onTyped }: { code: Code; onTyped: () => void }) {
  const text = plainText(code);
  const typed = useTypewriter(text);
  const isDone = typed === text.length;
  useEffect(() => {
    if (isDone) onTyped();
  }, [isDone, onTyped]);

  return (
    <code className={`${colors.code} ${styles.code}`} data-waiting={typed === undefined || undefined}>
      {typedParts(code, typed).map(({ piece: [piece, kind], characters }, place) => (
        // Tokens have no identity but their position.
        <TypedPiece key={place} text={piece} kind={kind} characters={characters} />
      ))}
    </code>
  );
}

/**
 * Number of visible characters of each token after `typed` characters; all before typing begins.
 */
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
  /** Number of visible characters. */
  readonly characters: number;
}

/** Memoized: rendering all tokens fifty times a second would lag on slow phones. */
const TypedPiece = memo(function TypedPiece({ text, kind, characters }: TypedPieceProps) {
  return (
    <span className={kind && colors[kind]}>
      {text.slice(0, characters)}
      {characters < text.length && <span className={styles.rest}>{text.slice(characters)}</span>}
    </span>
  );
});
