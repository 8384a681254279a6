import { useQuery } from '@tanstack/react-query';
import { readKeys } from '../../../api/account.js';
import { queryKeys } from '../../../dashboard/query-keys.js';
import { CodeWindow } from '../../../ui/code-window.js';
import { curlText } from './curl-text.js';
import type { Sending } from './use-sending.js';

/** The same by a program: shown with the key masked, copied with the key. */
export function EquivalentCurl({ to, message, isLive }: Sending) {
  const { data: keys } = useQuery({ queryKey: queryKeys.keys, queryFn: readKeys });
  const suffix = isLive ? '' : '_test';
  const command = (apiKey: string) => curlText({ origin: window.location.origin, to, message, apiKey });
  return (
    <CodeWindow title="Curl: this message" code={[[command(`${keys?.apiKey ?? 'YOUR_API_KEY'}${suffix}`)]]}>
      <code>{command(`${keys?.masked ?? 'YOUR_API_KEY'}${suffix}`)}</code>
    </CodeWindow>
  );
}
