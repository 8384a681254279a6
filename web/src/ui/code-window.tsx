import type { ReactNode } from 'react';
import { plainText, type Code } from './code.js';
import { CodeText } from './code-text.js';
import { CopyButton } from './copy-button.js';
import styles from './code-window.module.css';

interface CodeWindowProps {
  /** The language, or what this is: 'Python', 'Answer'. */
  readonly title: string;
  readonly code: Code;
  /** Beside the button that copies. */
  readonly action?: ReactNode;
  /** What stands in the place of the code when it is shown in another way, such as typed. */
  readonly children?: ReactNode;
}

/** Code on a dark ground with its name and a button that copies all of it. */
export function CodeWindow({ title, code, action, children }: CodeWindowProps) {
  return (
    <figure className={styles.window}>
      <figcaption className={styles.top}>
        <span className={styles.title}>{title}</span>
        {action}
        <CopyButton text={plainText(code)} label={`Copy: ${title}`} done="Code copied to clipboard!" />
      </figcaption>
      {/* It scrolls sideways on phones, so the keyboard must reach it. */}
      <pre className={styles.code} tabIndex={0} aria-label={`Code: ${title}`} role="region">
        {children ?? <CodeText code={code} />}
      </pre>
    </figure>
  );
}
