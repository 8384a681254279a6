import { useQuery } from '@tanstack/react-query';
import type { OtpStepBody } from '#contract/otp-channels.js';
import { keysQuery } from '../../api/account.js';
import { site } from '../../site.js';
import { CodeWindow } from '../../ui/code.js';
import { otpCurl } from './otp-curl.js';

interface CurlOfCodeProps {
  readonly title?: string;
  readonly origin?: string;
  readonly to?: string;
  readonly channels?: readonly OtpStepBody[] | undefined;
}

/** The shell command that sends a code: shown with the masked API key, copied with the real key. */
export function CurlOfCode({ title = 'Curl', origin = site.url, to = '+12025550142', channels }: CurlOfCodeProps) {
  const { data: keys } = useQuery(keysQuery);
  const command = (apiKey = 'YOUR_API_KEY') => otpCurl({ origin, to, channels, apiKey });
  return (
    <CodeWindow title={title} code={[[command(keys?.apiKey)]]}>
      <code>{command(keys?.masked)}</code>
    </CodeWindow>
  );
}
