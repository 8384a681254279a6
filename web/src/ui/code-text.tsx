import type { Code } from './code.js';
import styles from './code-text.module.css';

/** Code in its colours. */
export function CodeText({ code }: { code: Code }) {
  return (
    <code className={styles.code}>
      {code.map(([text, kind], place) =>
        kind ? (
          // A piece has no name but its place.
          <span key={place} className={styles[kind]}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </code>
  );
}
