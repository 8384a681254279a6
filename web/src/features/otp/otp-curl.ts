import type { OtpStepBody } from '#contract/otp-channels.js';
import { quoted } from '../composer/curl-command.js';

interface CurlCode {
  readonly origin: string;
  readonly to: string;
  /** Undefined for SMS alone. */
  readonly channels?: readonly OtpStepBody[] | undefined;
  readonly apiKey: string;
}

/** The shell command that sends a code: a form, or JSON if the code has channels. */
export function otpCurl({ origin, to, channels, apiKey }: CurlCode): string {
  const lines = channels
    ? [`  --json ${quoted(JSON.stringify({ to, channels, apikey: apiKey }, null, 2))}`]
    : [`  --data-urlencode ${quoted(`to=${to}`)}`, `  -d ${quoted(`apikey=${apiKey}`)}`];
  return [`curl ${origin}/api/sendotp`, ...lines].join(' \\\n');
}
