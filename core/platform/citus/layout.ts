/**
 * Placement of tables on Citus (https://docs.citusdata.com/en/stable/develop/reference_ddl.html).
 * Tables of accounts are split by account and colocated: all rows of an account are on one node, in
 * one group of shards. Reference tables are on every node. The other tables stay on the coordinator
 * and can be used from every node.
 */

/** The table with which the others are colocated. Its shards name the groups. */
export const ANCHOR_TABLE = 'accounts';

/** Tables split by account, and the column that names the account. */
export const accountTables: Readonly<Record<string, 'id' | 'account_id'>> = {
  accounts: 'id',
  account_devices: 'account_id',
  account_events: 'account_id',
  account_opt_outs: 'account_id',
  api_keys: 'account_id',
  api_request_days: 'account_id',
  api_requests: 'account_id',
  auto_top_ups: 'account_id',
  batches: 'account_id',
  callback_keys: 'account_id',
  carrier_days: 'account_id',
  checkout_sessions: 'account_id',
  conversation_owners: 'account_id',
  conversations: 'account_id',
  credit_accounts: 'account_id',
  credit_holds: 'account_id',
  daily_counts: 'account_id',
  delivery_days: 'account_id',
  delivery_suspensions: 'account_id',
  email_links: 'account_id',
  event_listeners: 'account_id',
  idempotency_keys: 'account_id',
  inbound_messages: 'account_id',
  invoice_details: 'account_id',
  invoices: 'account_id',
  key_secrets: 'account_id',
  ledger_entries: 'account_id',
  ledger_seals: 'account_id',
  mails: 'account_id',
  media: 'account_id',
  media_deletions: 'account_id',
  message_attempts: 'account_id',
  message_callbacks: 'account_id',
  message_checks: 'account_id',
  message_costs: 'account_id',
  message_days: 'account_id',
  message_media: 'account_id',
  messages: 'account_id',
  number_orders: 'account_id',
  number_slots: 'account_id',
  number_turns: 'account_id',
  otp_blocks: 'account_id',
  otp_channel_days: 'account_id',
  otp_codes: 'account_id',
  otp_days: 'account_id',
  otp_guards: 'account_id',
  otp_resends: 'account_id',
  otp_sends: 'account_id',
  payments: 'account_id',
  pool_numbers: 'account_id',
  pools: 'account_id',
  redemptions: 'account_id',
  replies_awaiting_media: 'account_id',
  reply_threads: 'account_id',
  retention_progress: 'account_id',
  retention_waiting: 'account_id',
  running_bulks: 'account_id',
  saved_filters: 'account_id',
  sealed_texts: 'account_id',
  sessions: 'account_id',
  spend_days: 'account_id',
  spend_progress: 'account_id',
  stranger_days: 'account_id',
  top_ups: 'account_id',
  totp_counts: 'account_id',
  totps: 'account_id',
  verified_numbers: 'account_id',
  webhook_attempts: 'account_id',
  webhook_deliveries: 'account_id',
  webhook_endpoints: 'account_id',
};

/**
 * Tables whose rows belong to the group of shards that wrote them, rather than to an account: a row
 * may stand for messages of several accounts of the group. Their `account_id` only names the group.
 */
export const groupTables = [
  'message_checks',
  'otp_resends',
  'otp_sends',
  'retention_progress',
  'retention_waiting',
  'sealed_texts',
] as const;

/**
 * Tables read together with tables of accounts, such as by acceptance and claims; rarely written.
 */
export const referenceTables = [
  'blocked_addresses',
  'carrier_matches',
  'carrier_pauses',
  'dispatch_pauses',
  'ledger_keys',
  'numbers',
  'opt_outs',
  'otp_rules',
  'redeem_codes',
  'region_settings',
  'restores',
  'route_changes',
  'route_code_days',
  'route_codes_counted',
  'route_health',
  'route_modes',
  'routes',
] as const;

/** Tables written and read by themselves, on the coordinator. */
export const coordinatorTables = [
  'audit_entries',
  'component_days',
  'component_states',
  'credit_requests',
  'delivery_quality',
  'free_credit_grants',
  'inbound_receipts',
  'invoice_counter',
  'payment_disputes',
  'payment_refunds',
  'payment_reversals',
  'server_presence',
  'sign_ups',
  'smpp_binds',
  'smpp_early_receipts',
  'smpp_long_replies',
  'smpp_reply_segments',
  'smpp_segments',
  'smpp_submits',
  'status_incidents',
  'verified_backups',
] as const;

/**
 * Foreign keys between tables of accounts that do not name the account. Citus does not keep them;
 * each group of shards has them between its own tables. `{table}` is the shard.
 */
export const groupForeignKeys = [
  ['payments', 'payments_session_id_fkey', 'FOREIGN KEY (session_id) REFERENCES {checkout_sessions}(session_id)'],
  ['otp_resends', 'otp_resends_code_id_fkey', 'FOREIGN KEY (code_id) REFERENCES {otp_codes}(id) ON DELETE CASCADE'],
  ['invoices', 'invoices_session_id_fkey', 'FOREIGN KEY (session_id) REFERENCES {payments}(session_id)'],
  ['invoices', 'invoices_corrects_fkey', 'FOREIGN KEY (corrects) REFERENCES {invoices}(number)'],
  ['key_secrets', 'key_secrets_key_id_fkey', 'FOREIGN KEY (key_id) REFERENCES {api_keys}(id) ON DELETE CASCADE'],
] as const;

/**
 * Keys by which the directory finds accounts, as SQL of a row `r`. Each is unique among all
 * accounts. No index of a shard can enforce that; the directory's key does.
 */
export const directoryKeys = [
  { table: 'accounts', kind: 'accounts_email', key: 'lower(r.email)' },
  { table: 'accounts', kind: 'accounts_google_subject_key', key: 'r.google_subject' },
  { table: 'key_secrets', kind: 'key', key: `encode(r.hash, 'hex')` },
  { table: 'sessions', kind: 'session', key: `encode(r.token_hash, 'hex')` },
  { table: 'email_links', kind: 'link', key: `encode(r.token_hash, 'hex')` },
  { table: 'checkout_sessions', kind: 'checkout', key: 'r.session_id' },
  { table: 'payments', kind: 'card payment', key: 'r.card_payment_id' },
  { table: 'top_ups', kind: 'top-up payment', key: 'r.card_payment_id' },
  { table: 'auto_top_ups', kind: 'customer', key: 'r.customer_id' },
] as const;

export type DirectoryKind = (typeof directoryKeys)[number]['kind'];
