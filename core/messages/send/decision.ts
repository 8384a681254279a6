/**
 * What came of one request. `again`: a neighbour in the batch mattered, decide it alone. `no_credits_record`: the first sign-in
 * could not write it, make it and decide again. `refused_by_rules`: the account
 * may send, so the rules' own refusal is the answer. `lost`: the database went away before taking it. `unknown`: it went
 * away and does not come back, so nobody can tell. `failed`: the database cannot digest it.
 */
export interface Decision {
  readonly verdict:
    | 'accepted'
    | 'tested'
    | 'replayed'
    | 'again'
    | 'no_credits_record'
    | 'refused_by_rules'
    | 'address_blocked'
    | 'unknown_api_key'
    | 'account_blocked'
    | 'idempotency_conflict'
    | 'no_credits'
    | 'url_not_activated'
    | 'recipient_opted_out'
    | 'daily_limit'
    | 'insufficient_credits'
    | 'lost'
    | 'unknown'
    | 'failed';
  readonly account_id: string | null;
  /** The account's own limit of requests per second, when the operator has set one. */
  readonly key_rate_per_second: number | null;
  /** The message that the first request with this idempotency key became. */
  readonly earlier_id: string | null;
  readonly cause?: unknown;
}
