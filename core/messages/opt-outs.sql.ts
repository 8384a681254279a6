import type { EntityManager } from 'typeorm';
import { hasOperatorNumbers, isOwnNumber } from '../numbers/numbers.sql.js';

/** A recipient who does not want messages from a sender: a number or a messaging service. */
export interface OptOutPair {
  readonly recipient: string;
  readonly sender: string;
}

/** An opt-out from a number, and from its messaging service if it has one. */
export interface NewOptOut extends OptOutPair {
  readonly service: string | null;
  readonly source: 'reply' | 'carrier';
  /** The keyword of a reply, and the account that the reply goes to: no other account sees it. */
  readonly said?: { readonly word: string | null; readonly accountId: string | null };
}

/** How many of a recipient's latest messages are searched for the accounts that sent them. */
const MESSAGES_LOOKED_MAX = 10_000;

/** SQL of whether an opt-out holds for every sender that no account has to itself. */
const isShared = (optOut: string, numbers?: string) =>
  `coalesce(${optOut}.shared, NOT ${isOwnNumber(`${optOut}.sender`, numbers)})`;

/**
 * SQL of whether an opt-out of its recipient holds for a sender: its own, or a shared one as it is
 * itself. The first part decides unless the recipient has opted out of something.
 */
export const holdsFor = (optOut: string, sender: string) =>
  `(${optOut}.sender = ${sender} OR (${isShared(optOut)} AND NOT ${isOwnNumber(sender)}))`;

/** SQL of whether an opt-out holds for the shared senders, and an account uses these. */
export const holdsForAccount = (optOut: string, account: string) =>
  `(${isShared(optOut)} AND NOT ${hasOperatorNumbers(account)})`;

/** Which of these senders an account has to itself. Parameter: senders. */
export const dedicatedAmongStatement = `SELECT DISTINCT number AS sender FROM numbers WHERE number = ANY($1::text[])`;

// The schema names the table that all parts of a divided database share.
const insertText = `
INSERT INTO public.opt_outs AS o (recipient, sender, shared)
SELECT * FROM unnest($1::text[], $2::text[], $3::boolean[]) AS n (recipient, sender, shared)
ORDER BY recipient, sender
ON CONFLICT (recipient, sender) DO UPDATE SET shared = excluded.shared WHERE o.shared IS DISTINCT FROM excluded.shared`;

/** Rows that are known already change if the opt-out is another one than theirs. */
const store = `
ON CONFLICT (account_id, recipient, sender) WHERE opted_in_at IS NULL DO UPDATE
SET opted_out_at = excluded.opted_out_at, service = excluded.service, word = excluded.word, source = excluded.source
WHERE known.opted_out_at < excluded.opted_out_at`;

/**
 * Accounts of this part of the database that have texted `n.recipient` from `n.sender`, `n.service`
 * or, where the opt-out holds for all of them, from a shared sender.
 */
const texting = (optOut: string) => `
  SELECT DISTINCT account_id FROM (
    SELECT account_id, sender, status FROM messages
    WHERE recipient = n.recipient ORDER BY id DESC LIMIT ${MESSAGES_LOOKED_MAX}
  ) latest
  WHERE (sender IN (n.sender, n.service)
      OR (${holdsForAccount(optOut, 'latest.account_id')} AND NOT ${isOwnNumber('latest.sender')}))
    AND status <> 'canceled'`;

/**
 * Lists opt-outs for the accounts that have texted their recipients. Parameters: recipients,
 * senders, services, words, sources, accounts to which the words were said.
 */
export const listForAccounts = `
INSERT INTO account_opt_outs AS known (account_id, recipient, sender, service, word, source, opted_out_at)
SELECT DISTINCT ON (t.account_id, n.recipient, n.sender) t.account_id, n.recipient, n.sender, n.service,
  CASE WHEN t.account_id = n.said_to THEN n.word END, n.source, date_trunc('milliseconds', o.created_at)
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[])
  AS n (recipient, sender, service, word, source, said_to)
JOIN opt_outs o ON o.recipient = n.recipient AND o.sender = n.sender
CROSS JOIN LATERAL (${texting('o')}) t
ORDER BY t.account_id, n.recipient, n.sender ${store}
RETURNING account_id AS "accountId"`;

/**
 * The same for the opt-outs of the last hours that another part of the database, or a process of
 * the release before, has stored. Parameter: hours. A number's opt-out stands for the one of its
 * messaging service, which was stored in the same moment.
 */
export const listRecentForAccounts = {
  name: 'opt-outs-recent-3',
  text: `
INSERT INTO account_opt_outs AS known (account_id, recipient, sender, service, source, opted_out_at)
SELECT t.account_id, n.recipient, n.sender, n.service, 'reply', date_trunc('milliseconds', n.created_at)
FROM (
  SELECT o.recipient, o.sender, o.shared, o.created_at, (
    SELECT s.sender FROM opt_outs s
    WHERE s.recipient = o.recipient AND s.created_at = o.created_at AND s.sender <> o.sender AND s.sender LIKE 'MG%'
    LIMIT 1
  ) AS service
  FROM opt_outs o
  WHERE o.created_at > now() - make_interval(hours => $1) AND (o.sender NOT LIKE 'MG%' OR NOT EXISTS (
    SELECT FROM opt_outs s
    WHERE s.recipient = o.recipient AND s.created_at = o.created_at AND s.sender NOT LIKE 'MG%'
  ))
) n
CROSS JOIN LATERAL (${texting('n')}) t
ORDER BY t.account_id, n.recipient, n.sender ${store}`,
} as const;

/** Parameters: recipients, senders, whether they are shared. */
const deletePairs = `
DELETE FROM public.opt_outs o USING unnest($1::text[], $2::text[], $3::boolean[]) AS n (recipient, sender, shared)
WHERE o.recipient = n.recipient AND (o.sender = n.sender OR (n.shared AND ${isShared('o', 'public.numbers')}))
RETURNING o.recipient, o.sender`;

/** Parameters: recipients, senders. */
export const endOptOutsStatement = {
  name: 'opt-outs-end-2',
  text: `
UPDATE account_opt_outs k SET opted_in_at = date_trunc('milliseconds', now())
FROM unnest($1::text[], $2::text[]) AS n (recipient, sender)
WHERE k.recipient = n.recipient AND k.opted_in_at IS NULL AND (k.sender = n.sender OR k.service = n.sender)
RETURNING k.account_id AS "accountId"`,
} as const;

/** Returns which of these senders belong to one account alone. */
export async function dedicatedAmong(tx: EntityManager, senders: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await tx.query<{ sender: string }[]>(dedicatedAmongStatement, [senders]);
  return new Set(found.map(({ sender }) => sender));
}

/**
 * Stores opt-outs: acceptance and claims refuse messages of these senders to these recipients, of
 * every shared sender if one of them is, and the accounts that have texted them, which are returned,
 * see the opt-outs. A known one stays as it is.
 */
export async function insertOptOuts(tx: EntityManager, optOuts: readonly NewOptOut[]): Promise<string[]> {
  if (optOuts.length === 0) return [];
  const sendersOf = ({ sender, service }: NewOptOut) =>
    service === null || service === sender ? [sender] : [sender, service];
  const dedicated = await dedicatedAmong(tx, optOuts.flatMap(sendersOf));
  const pairs = optOuts.flatMap((optOut) => {
    const senders = sendersOf(optOut);
    const shared = !senders.some((sender) => dedicated.has(sender));
    return senders.map((sender) => ({ recipient: optOut.recipient, sender, shared }));
  });
  // A statement may not change a row twice.
  const unique = [...new Map(pairs.map((pair) => [`${pair.recipient} ${pair.sender}`, pair])).values()];
  await tx.query(insertText, [
    unique.map(({ recipient }) => recipient),
    unique.map(({ sender }) => sender),
    unique.map(({ shared }) => shared),
  ]);
  const listed = await tx.query<{ accountId: string }[]>(listForAccounts, [
    optOuts.map(({ recipient }) => recipient),
    optOuts.map(({ sender }) => sender),
    optOuts.map(({ service }) => service),
    optOuts.map(({ said }) => said?.word ?? null),
    optOuts.map(({ source }) => source),
    optOuts.map(({ said }) => said?.accountId ?? null),
  ]);
  return listed.map(({ accountId }) => accountId);
}

/**
 * Lifts the opt-outs of these recipients from these senders, and from all shared ones where a sender
 * is shared, for all accounts; returns those that saw one.
 */
export async function endOptOuts(
  tx: EntityManager,
  pairs: readonly (OptOutPair & { readonly isShared: boolean })[],
): Promise<string[]> {
  if (pairs.length === 0) return [];
  // TypeORM returns the rows of a DELETE or an UPDATE beside their number.
  const [deleted] = await tx.query<[OptOutPair[], number]>(deletePairs, [
    pairs.map(({ recipient }) => recipient),
    pairs.map(({ sender }) => sender),
    pairs.map((pair) => pair.isShared),
  ]);
  const all = [...pairs, ...deleted];
  const values = [all.map(({ recipient }) => recipient), all.map(({ sender }) => sender)];
  const [ended] = await tx.query<[{ accountId: string }[], number]>(endOptOutsStatement.text, values);
  return ended.map(({ accountId }) => accountId);
}
