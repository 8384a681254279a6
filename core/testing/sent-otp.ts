import { OtpPayloads } from '../messages/store/otp-payloads.js';
import { messageIdFromPublic } from '../rules/ids.js';
import type { TestCore } from './test-core.js';

/** Returns the text of an accepted one-time password, as the worker hands it to the carrier. */
export async function sentOtpText(parts: Pick<TestCore, 'get'>, messageId: string): Promise<string> {
  const id = messageIdFromPublic(messageId);
  if (!id) throw new Error(`${messageId} is no message id`);
  return (await parts.get(OtpPayloads).read({ id, kind: 'otp', body: '' })).text;
}

/** Returns the code in it. */
export async function sentOtp(parts: Pick<TestCore, 'get'>, messageId: string): Promise<string> {
  const code = /code is (\d{4,8})\./.exec(await sentOtpText(parts, messageId))?.[1];
  if (code === undefined) throw new Error(`${messageId} brings no code`);
  return code;
}
