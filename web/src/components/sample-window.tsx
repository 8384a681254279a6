import type { ReactNode } from 'react';
import type { ShownCode } from '../content/shown-page.js';
import { CodeWindow } from '../ui/code-window.js';
import { useReaderKey, withKey } from './reader-key.js';

/** Code of the documentation, with the reader's own test key where it wants one. */
export function SampleWindow({ title, code, action }: Omit<ShownCode, 'kind'> & { readonly action?: ReactNode }) {
  const key = useReaderKey();
  return <CodeWindow title={title} code={key === undefined ? code : withKey(code, key)} action={action} />;
}
