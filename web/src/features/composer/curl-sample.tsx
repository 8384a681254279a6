import { useQuery } from '@tanstack/react-query';
import type { SmsEncoding } from '#contract/messages.js';
import { keysQuery } from '../../api/account.js';
import { site } from '../../site.js';
import { CodeWindow } from '../../ui/code.js';
import { curlCommand } from './curl-command.js';

interface CurlSampleProps {
  readonly title?: string;
  readonly origin?: string;
  readonly to?: string;
  readonly message?: string;
  /** A number or the id of a pool; '' for the best sender. */
  readonly from?: string | undefined;
  /** Send time; at once if undefined. */
  readonly sendAt?: string | undefined;
  readonly encoding?: SmsEncoding | undefined;
  readonly reference?: string | undefined;
  /** Ids of the message's files. */
  readonly media?: readonly string[];
  /** Sends links where files cannot be sent. */
  readonly asLinks?: boolean;
  /** Uses the test key, which sends nothing. */
  readonly isTest?: boolean;
}

/**
 * The shell command that sends a message: shown with the masked API key, copied with the real key.
 */
export function CurlSample({
  title = 'Curl',
  origin = site.url,
  to = '+12025550142',
  message = 'Hello from Pennytext',
  from,
  sendAt,
  encoding,
  reference,
  media,
  asLinks,
  isTest = false,
}: CurlSampleProps) {
  const { data: keys } = useQuery(keysQuery);
  const command = (apiKey = 'YOUR_API_KEY') =>
    curlCommand({
      origin,
      to,
      message,
      from,
      sendAt,
      encoding,
      reference,
      media,
      asLinks,
      apiKey: isTest ? `${apiKey}_test` : apiKey,
    });
  return (
    <CodeWindow title={title} code={[[command(keys?.apiKey)]]}>
      <code>{command(keys?.masked)}</code>
    </CodeWindow>
  );
}
