import type { EntityManager } from 'typeorm';
import type { Postgres } from '../../platform/database/postgres.js';
import { hasOperatorNumbers, hasSent, isOwnNumber, latestOwner, ownerOf } from '../../numbers/numbers.sql.js';

/**
 * A recipient who does not want messages from a sender: a number or a messaging service.
 * `accountId` is the account that had the sender to itself: the opt-out holds for all messages of
 * the account. Null for a shared sender: the opt-out holds for all shared senders.
 */
export interface OptOutPair {
  readonly recipient: string;
  readonly sender: string;
  readonly accountId: string | null;
}

/** An opt-out from a number, and from its messaging service if it has one. */
export interface NewOptOut {
  readonly recipient: string;
  readonly sender: string;
  readonly service: string | null;
  readonly source: 'reply' | 'carrier';
  /** The account whose message the carrier refused; another account may have the sender by now. */
  readonly accountId?: string;
  /** The keyword of a reply, and the account that gets the reply: no other account sees it. */
  readonly said?: { readonly word: string | null; readonly accountId: string | null };
}

/** Maximum of a recipient's latest messages that are searched for their accounts. */
const MESSAGES_LOOKED_MAX = 10_000;

/** SQL condition: an opt-out holds for every shared sender. */
const isShared = (optOut: string, numbers?: string) =>
  `coalesce(${optOut}.shared, NOT ${isOwnNumber(`${optOut}.sender`, numbers)})`;

/**
 * SQL: the sender of an opt-out. A sender with two owners has two opt-outs of a person; the earlier
 * opt-out has the account's id after the sender, since the table's key must be unique.
 */
export const saidTo = (optOut: string) => `split_part(${optOut}.sender, ' ', 1)`;

/**
 * SQL condition: an opt-out of the recipient holds for an account's messages from a sender. It
 * belongs to the account, or both it and the sender are shared. An opt-out with neither is from the
 * previous release and holds for its sender alone.
 */
export const holdsFor = (optOut: string, { account, sender }: { account: string; sender: string }) =>
  `(${optOut}.account_id = ${account} OR (${optOut}.account_id IS NULL
      AND (${optOut}.sender = ${sender} OR (${isShared(optOut)} AND NOT ${isOwnNumber(sender)}))))`;

/**
 * SQL condition: a message without a named sender would bypass a shared opt-out by another sender:
 * the recipient opted out of messages of this account.
 */
export const isGoneRound = (optOut: string, account: string) => `(${isShared(optOut)} AND EXISTS (
        SELECT FROM account_opt_outs k
        WHERE k.account_id = ${account} AND k.recipient = ${optOut}.recipient AND k.opted_in_at IS NULL
          AND ${saidTo(optOut)} IN (k.sender, k.service)
      ))`;

/** SQL condition: an opt-out holds for the shared senders, which the account uses. */
const holdsForShared = (optOut: string, account: string) =>
  `(${isShared(optOut)} AND NOT ${hasOperatorNumbers(account)})`;

/**
 * SQL condition: an account sees an opt-out in a conversation; `isSender` is the SQL condition that
 * it went to a sender of the conversation.
 */
export const holdsForAccount = (optOut: string, account: string, isSender: string) =>
  `(${optOut}.account_id = ${account} OR (${optOut}.account_id IS NULL
      AND (${isSender} OR ${holdsForShared(optOut, account)})))`;

/** The accounts that have these senders to themselves, or had them last. Parameter: senders. */
export const ownersStatement = {
  name: 'opt-outs-owners-1',
  text: `SELECT DISTINCT ON (number) number AS sender, account_id AS "accountId" FROM numbers
WHERE number = ANY($1::text[]) AND ${hasSent('numbers')} ORDER BY number, ${latestOwner('numbers')}`,
} as const;

/**
 * SQL condition: an opt-out `o` and a pair `n` have different owners; opt-outs of the previous
 * release have no owner yet.
 */
const isOfOtherOwner = `o.account_id IS DISTINCT FROM n.account_id
    AND (o.account_id IS NOT NULL OR ${isShared('o', 'public.numbers')})`;

/**
 * Copies an opt-out to its account before another owner's opt-out takes its row. Parameters: recipients,
 * senders, accounts.
 */
// The schema names the table that all parts of a divided database share.
export const keepOfOtherOwners = {
  name: 'opt-outs-copy-1',
  text: `
INSERT INTO public.opt_outs (recipient, sender, shared, account_id, created_at)
SELECT o.recipient, o.sender || ' ' || coalesce(o.account_id::text, 'shared'), o.account_id IS NULL, o.account_id,
  o.created_at
FROM public.opt_outs o JOIN unnest($1::text[], $2::text[], $3::uuid[]) AS n (recipient, sender, account_id)
  ON o.recipient = n.recipient AND o.sender = n.sender
WHERE ${isOfOtherOwner}
ON CONFLICT DO NOTHING`,
} as const;

/** Deletes the copied opt-outs. Parameters: recipients, senders, accounts. */
export const deleteOfOtherOwners = {
  name: 'opt-outs-make-room-1',
  text: `
DELETE FROM public.opt_outs o USING unnest($1::text[], $2::text[], $3::uuid[]) AS n (recipient, sender, account_id)
WHERE o.recipient = n.recipient AND o.sender = n.sender AND ${isOfOtherOwner}`,
} as const;

/** Parameters: recipients, senders, accounts. Existing opt-outs keep their time. */
export const insertPairs = {
  name: 'opt-outs-insert-1',
  text: `
INSERT INTO public.opt_outs AS o (recipient, sender, shared, account_id)
SELECT recipient, sender, account_id IS NULL, account_id
FROM unnest($1::text[], $2::text[], $3::uuid[]) AS n (recipient, sender, account_id)
ORDER BY recipient, sender
ON CONFLICT (recipient, sender) DO UPDATE SET shared = excluded.shared, account_id = excluded.account_id
WHERE o.shared IS DISTINCT FROM excluded.shared OR o.account_id IS DISTINCT FROM excluded.account_id`,
} as const;

/**
 * Assigns opt-outs of the last hours that a process of the previous release stored to the accounts
 * that have their senders. Parameter: hours.
 */
export const adoptRecent = {
  name: 'opt-outs-adopt-1',
  text: `
UPDATE public.opt_outs o SET account_id = n.account_id
FROM (
  SELECT DISTINCT ON (number) number, account_id FROM public.numbers own
  WHERE ${hasSent('own')} ORDER BY number, ${latestOwner('own')}
) n
WHERE o.sender = n.number AND o.shared = false AND o.account_id IS NULL
  AND o.created_at > now() - make_interval(hours => $1)`,
} as const;

/** Existing rows change if the opt-out is newer. */
const store = `
ON CONFLICT (account_id, recipient, sender) WHERE opted_in_at IS NULL DO UPDATE
SET opted_out_at = excluded.opted_out_at, service = excluded.service, word = excluded.word, source = excluded.source
WHERE known.opted_out_at < excluded.opted_out_at`;

/**
 * Accounts of this part of the database that see an opt-out `n`: its own account, or accounts that
 * have sent to `n.recipient` from `n.sender`, `n.service` or, for a shared opt-out, from a shared
 * sender.
 */
const seeing = (optOut: string) => `
  SELECT id AS account_id FROM accounts WHERE id = ${optOut}.account_id
  UNION
  SELECT account_id FROM (
    SELECT account_id, sender, status FROM messages
    WHERE recipient = n.recipient ORDER BY id DESC LIMIT ${MESSAGES_LOOKED_MAX}
  ) latest
  WHERE ${optOut}.account_id IS NULL AND (sender IN (n.sender, n.service)
      OR (${holdsForShared(optOut, 'latest.account_id')} AND NOT ${isOwnNumber('latest.sender')}))
    AND status <> 'canceled'`;

/**
 * Lists opt-outs for the accounts that see them. Parameters: recipients, senders, services, words,
 * sources, accounts that got the words.
 */
export const listForAccounts = {
  name: 'opt-outs-list-for-accounts-1',
  text: `
INSERT INTO account_opt_outs AS known (account_id, recipient, sender, service, word, source, opted_out_at)
SELECT DISTINCT ON (t.account_id, n.recipient, n.sender) t.account_id, n.recipient, n.sender, n.service,
  CASE WHEN t.account_id = n.said_to THEN n.word END, n.source, date_trunc('milliseconds', o.created_at)
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[])
  AS n (recipient, sender, service, word, source, said_to)
JOIN opt_outs o ON o.recipient = n.recipient AND o.sender = n.sender
CROSS JOIN LATERAL (${seeing('o')}) t
ORDER BY t.account_id, n.recipient, n.sender ${store}
RETURNING account_id AS "accountId"`,
} as const;

/**
 * Lists the opt-outs of the last hours that another part of the database, or a process of the
 * previous release, has stored. Parameter: hours. A number's opt-out stands for its messaging
 * service's opt-out, which was stored at the same time.
 */
export const listRecentForAccounts = {
  name: 'opt-outs-recent-4',
  text: `
INSERT INTO account_opt_outs AS known (account_id, recipient, sender, service, source, opted_out_at)
SELECT t.account_id, n.recipient, n.sender, n.service, 'reply', date_trunc('milliseconds', n.created_at)
FROM (
  SELECT o.recipient, o.sender, o.shared, o.account_id, o.created_at, (
    SELECT s.sender FROM opt_outs s
    WHERE s.recipient = o.recipient AND s.created_at = o.created_at AND s.sender <> o.sender AND s.sender LIKE 'MG%'
    LIMIT 1
  ) AS service
  FROM opt_outs o
  WHERE o.created_at > now() - make_interval(hours => $1) AND o.sender NOT LIKE '% %'
    AND (o.sender NOT LIKE 'MG%' OR NOT EXISTS (
    SELECT FROM opt_outs s
    WHERE s.recipient = o.recipient AND s.created_at = o.created_at AND s.sender NOT LIKE 'MG%'
  ))
) n
CROSS JOIN LATERAL (${seeing('n')}) t
ORDER BY t.account_id, n.recipient, n.sender ${store}`,
} as const;

/** Parameters: recipients, senders, accounts. */
const deletePairs = {
  name: 'opt-outs-delete-1',
  text: `
DELETE FROM public.opt_outs o USING unnest($1::text[], $2::text[], $3::uuid[]) AS n (recipient, sender, account_id)
WHERE o.recipient = n.recipient AND (o.account_id = n.account_id OR (o.account_id IS NULL
  AND (o.sender = n.sender OR (n.account_id IS NULL AND ${isShared('o', 'public.numbers')}))))
RETURNING o.recipient, ${saidTo('o')} AS sender, o.account_id AS "accountId"`,
} as const;

/** Parameters: recipient, a sender or null. */
export const liftOptOuts = {
  name: 'opt-outs-lift-3',
  text: `
DELETE FROM opt_outs o WHERE recipient = $1 AND ($2::text IS NULL OR ${saidTo('o')} = $2
  OR ${holdsFor('o', { account: `(${ownerOf('$2')})`, sender: '$2' })})
RETURNING recipient, ${saidTo('o')} AS sender, created_at AS "createdAt", account_id AS "accountId"`,
} as const;

/** Parameters: recipients, senders, accounts. */
export const endOptOutsStatement = {
  name: 'opt-outs-end-3',
  text: `
UPDATE account_opt_outs k SET opted_in_at = date_trunc('milliseconds', now())
FROM unnest($1::text[], $2::text[], $3::uuid[]) AS n (recipient, sender, account_id)
WHERE k.recipient = n.recipient AND k.opted_in_at IS NULL AND (k.sender = n.sender OR k.service = n.sender)
  AND (n.account_id IS NULL OR k.account_id = n.account_id)
RETURNING k.account_id AS "accountId"`,
} as const;

/** The parameters of statements about pairs. */
export function valuesOf(pairs: readonly OptOutPair[]): unknown[] {
  return [
    pairs.map(({ recipient }) => recipient),
    pairs.map(({ sender }) => sender),
    pairs.map(({ accountId }) => accountId),
  ];
}

/** Returns the present or last owners of these senders, without shared senders. */
export async function ownersAmong(
  postgres: Postgres,
  tx: EntityManager,
  senders: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await postgres.run<{ sender: string; accountId: string }>(tx, ownersStatement, [senders]);
  return new Map(found.map(({ sender, accountId }) => [sender, accountId]));
}

/**
 * Finds opt-outs that the person has revoked by a START to another number of the account. The
 * carrier does not know that, since it keeps a list for each number. Parameters: recipients,
 * senders, accounts.
 */
export const takenBackStatement = {
  name: 'opt-outs-taken-back-1',
  text: `
SELECT n.place::int AS place
FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY AS n (recipient, sender, account_id, place)
WHERE EXISTS (
  SELECT FROM account_opt_outs k
  WHERE k.account_id = n.account_id AND k.recipient = n.recipient AND k.opted_in_at IS NOT NULL
    AND n.sender IN (k.sender, k.service)
)`,
} as const;

/** Returns a pair for each sender of an opt-out. */
function pairsOf(optOut: NewOptOut, owners: ReadonlyMap<string, string>): OptOutPair[] {
  const senders = sendersOf(optOut);
  const owner = senders.map((sender) => owners.get(sender)).find((one) => one !== undefined);
  const accountId = owner === undefined ? null : (optOut.accountId ?? owner);
  return senders.map((sender) => ({ recipient: optOut.recipient, sender, accountId }));
}

function sendersOf({ sender, service }: NewOptOut): string[] {
  return service === null || service === sender ? [sender] : [sender, service];
}

/**
 * Stores opt-outs: acceptance and claims refuse messages to these recipients of the account that
 * has the sender to itself, or else of every shared sender. Returns the accounts that see them.
 * Existing opt-outs do not change.
 */
export async function insertOptOuts(
  postgres: Postgres,
  tx: EntityManager,
  given: readonly NewOptOut[],
): Promise<string[]> {
  if (given.length === 0) return [];
  const owners = await ownersAmong(postgres, tx, given.flatMap(sendersOf));
  const optOuts = await withoutTakenBack(postgres, tx, given, owners);
  if (optOuts.length === 0) return [];
  const pairs = optOuts.flatMap((optOut) => pairsOf(optOut, owners));
  // A statement may not change a row twice.
  const unique = [...new Map(pairs.map((pair) => [`${pair.recipient} ${pair.sender}`, pair])).values()];
  for (const statement of [keepOfOtherOwners, deleteOfOtherOwners, insertPairs])
    await postgres.run(tx, statement, valuesOf(unique));
  const listed = await postgres.run<{ accountId: string }>(tx, listForAccounts, [
    optOuts.map(({ recipient }) => recipient),
    optOuts.map(({ sender }) => sender),
    optOuts.map(({ service }) => service),
    optOuts.map(({ said }) => said?.word ?? null),
    optOuts.map(({ source }) => source),
    optOuts.map(({ said }) => said?.accountId ?? null),
  ]);
  return listed.map(({ accountId }) => accountId);
}

/** A refusal of the carrier does not undo a START. */
async function withoutTakenBack(
  postgres: Postgres,
  tx: EntityManager,
  optOuts: readonly NewOptOut[],
  owners: ReadonlyMap<string, string>,
): Promise<readonly NewOptOut[]> {
  const refused = optOuts.filter(({ source }) => source === 'carrier');
  if (refused.length === 0) return optOuts;
  const pairs = refused.flatMap((optOut) => pairsOf(optOut, owners).slice(0, 1));
  const places = await postgres.run<{ place: number }>(tx, takenBackStatement, valuesOf(pairs));
  const takenBack = new Set(places.map(({ place }) => refused[place - 1]));
  return optOuts.filter((optOut) => !takenBack.has(optOut));
}

/**
 * Lifts the opt-outs of these recipients from all senders of these accounts, or from all shared
 * senders if a pair has no account; returns the accounts that saw an opt-out.
 */
export async function endOptOuts(
  postgres: Postgres,
  tx: EntityManager,
  pairs: readonly OptOutPair[],
): Promise<string[]> {
  if (pairs.length === 0) return [];
  const deleted = await postgres.run<OptOutPair>(tx, deletePairs, valuesOf(pairs));
  const values = valuesOf([...pairs, ...deleted]);
  const ended = await postgres.run<{ accountId: string }>(tx, endOptOutsStatement, values);
  return ended.map(({ accountId }) => accountId);
}
