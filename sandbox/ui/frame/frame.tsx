import type { ReactNode } from 'react';
import './tokens.css';
import './fonts.css';
import './frame.css';
import { Mark } from './mark.js';

interface FrameProps {
  /** What this page stands in for, in a word. */
  readonly part: string;
  /** What stands at the end of the top bar. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** What all pages of the sandbox share: the banner, the name and the room for the page itself. */
export function Frame({ part, end, children }: FrameProps) {
  return (
    <div className="frame">
      <p className="frame-banner">Sandbox: nothing leaves this computer</p>
      <header className="frame-top">
        <a className="frame-home" href="/">
          <Mark size={28} />
          <span className="frame-name">Pennytext</span>
        </a>
        <span className="frame-part">{part}</span>
        <div className="frame-end">{end}</div>
      </header>
      <main className="frame-main">{children}</main>
    </div>
  );
}
