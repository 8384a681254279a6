import type { ReactNode } from 'react';
import { Link } from 'react-router';

const MARKED = /`([^`]+)`|\*\*([^*]+)\*\*|\[((?:[^\]`]|`[^`]*`)+)\]\(([^)]+)\)/g;

/** Renders inline Markdown: code, strong text and links. */
export function RichText({ text }: { text: string }) {
  return <>{nodesOf(text)}</>;
}

function nodesOf(text: string): ReactNode[] {
  const nodes: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKED)) {
    const { index } = match;
    nodes.push(text.slice(from, index), nodeOf(match));
    from = index + match[0].length;
  }
  return [...nodes, text.slice(from)];
}

function nodeOf({ index, 1: code, 2: strong, 3: label = '', 4: to = '' }: RegExpExecArray): ReactNode {
  if (code !== undefined) return <code key={index}>{code}</code>;
  if (strong !== undefined) return <strong key={index}>{strong}</strong>;
  // The router does not know files and external addresses, and the server decides what /login is.
  if (!/^\/(?!login$)[^.]*$/.test(to)) {
    return (
      <a key={index} href={to}>
        {nodesOf(label)}
      </a>
    );
  }
  return (
    <Link key={index} to={to}>
      {nodesOf(label)}
    </Link>
  );
}
