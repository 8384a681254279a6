import type { ReactNode } from 'react';
import styles from './code.module.css';
import { CopyButton } from './button.js';

/** Kind of a token, for its color; absent for plain text. */
export type TokenKind = 'keyword' | 'string' | 'name' | 'number' | 'comment';
export type Token = readonly [text: string, kind?: TokenKind];

/**
 * Highlighted code as tokens, including line ends; made at build time by
 * content/render-page.server.ts.
 */
export type Code = readonly Token[];

export function plainText(code: Code): string {
  return code.map(([text]) => text).join('');
}

export function CodeText({ code }: { code: Code }) {
  return (
    <code className={styles.code}>
      {code.map(([text, kind], place) =>
        kind ? (
          // Tokens have no identity but their position.
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

interface CodeWindowProps {
  /** The language or role: 'Python', 'Answer'. */
  readonly title: string;
  readonly code: Code;
  /** Shown in place of the title. */
  readonly heading?: ReactNode;
  /** Shown beside the copy button. */
  readonly action?: ReactNode;
  /** Replaces the shown code, for instance while it is typed. */
  readonly children?: ReactNode;
}

/** A titled code window with a copy button. */
export function CodeWindow({ title, code, heading, action, children }: CodeWindowProps) {
  return (
    <figure className={styles.window}>
      <figcaption className={styles.top}>
        <span className={styles.title}>{heading ?? title}</span>
        {action}
        <CopyButton text={plainText(code)} label={`Copy: ${title}`} done="Code copied to clipboard!" />
      </figcaption>
      {/* The code scrolls sideways on phones, so it must be focusable. */}
      <pre className={styles.windowCode} tabIndex={0} aria-label={`Code: ${title}`} role="region">
        {children ?? <CodeText code={code} />}
      </pre>
    </figure>
  );
}
