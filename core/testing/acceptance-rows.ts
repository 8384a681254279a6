import { createHash } from 'node:crypto';
import { ApiKeys } from '../keys/api-keys.js';
import { newMessageId } from '../rules/ids.js';
import type { TestCore } from './test-core.js';
import type { AcceptanceRow } from '../messages/send/acceptance-batch.js';

/**
 * Returns a request as SendMessage passes it to acceptance: by default one segment to the USA for
 * one credit.
 */
export function acceptanceRow(
  core: Pick<TestCore, 'get'>,
  apiKey: string,
  changes: Partial<AcceptanceRow> = {},
): AcceptanceRow {
  const row: AcceptanceRow = {
    id: newMessageId(),
    key: core.get(ApiKeys).parse(apiKey),
    address: '127.0.0.1',
    kind: 'sms',
    recipient: '+14155552671',
    country: 'US',
    sender: '+15005550006',
    body: 'Hello',
    segments: 1,
    price: 1,
    hasUrl: false,
    reference: null,
    idempotencyKey: null,
    bodyHash: null,
    ...changes,
  };
  if (row.idempotencyKey === null) return row;
  return {
    ...row,
    bodyHash: changes.bodyHash ?? createHash('sha256').update(`${row.recipient} ${row.body} ${row.price}`).digest(),
  };
}

/** Returns the same request after a refusal by the rules. */
export function refusedByRules(row: AcceptanceRow): AcceptanceRow {
  return {
    ...row,
    recipient: null,
    country: null,
    sender: null,
    body: null,
    segments: null,
    price: null,
    hasUrl: false,
  };
}
