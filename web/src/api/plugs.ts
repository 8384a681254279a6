import { queryOptions } from '@tanstack/react-query';
import {
  type CreatePlugBody,
  plugsAnswer,
  plugSecretAnswer,
  type PlugSecretAnswer,
  type RotatePlugBody,
} from '#contract/plugs.js';
import { call } from './call.js';

const PLUGS = '/api/dashboard/plugs';

/** The account's plugs, newest first. A plug ends with its key: see `revokeNamedKey`. */
export const plugsQuery = queryOptions({
  queryKey: ['plugs'],
  queryFn: () => call(plugsAnswer, { method: 'GET', path: PLUGS }),
});

/** Fails with the code `plug_secret_invalid`, `key_limit` or `sign_in_again`. */
export function createPlug(body: CreatePlugBody): Promise<PlugSecretAnswer> {
  return call(plugSecretAnswer, { method: 'POST', path: PLUGS, body });
}

/** Fails with the code `plug_secret_invalid`, `key_not_found` or `sign_in_again`. */
export function rotatePlug(keyId: string, body: RotatePlugBody): Promise<PlugSecretAnswer> {
  return call(plugSecretAnswer, { method: 'POST', path: `${PLUGS}/${keyId}/rotate`, body });
}
