import type { ApiFailure } from '../../../api/api-failure.js';

interface Typed {
  readonly to: string;
  readonly message: string;
}

const fieldOfCode: Readonly<Record<string, keyof Typed>> = {
  invalid_number: 'to',
  region_unsupported: 'to',
  region_inactive: 'to',
  recipient_opted_out: 'to',
  message_too_long: 'message',
  url_shortener: 'message',
  url_not_activated: 'message',
};

/** The field that a refusal of the error table concerns; undefined when it concerns none of them. */
export function fieldOf({ code }: Pick<ApiFailure, 'code'>, { to, message }: Typed): keyof Typed | undefined {
  if (code === 'missing_fields') return to === '' ? 'to' : message === '' ? 'message' : undefined;
  return code === undefined ? undefined : fieldOfCode[code];
}

/** Whether a try without success may have sent the message all the same. */
export function mayHaveBeenSent({ kind, code }: Pick<ApiFailure, 'kind' | 'code'>): boolean {
  return kind === 'connection' || kind === 'broken' || code === 'idempotency_in_progress';
}
