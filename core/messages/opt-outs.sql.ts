import type { EntityManager } from 'typeorm';

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

// The schema names the table that all parts of a divided database share.
const insertText = `
INSERT INTO public.opt_outs (recipient, sender) SELECT * FROM unnest($1::text[], $2::text[]) AS n (recipient, sender)
ORDER BY recipient, sender ON CONFLICT DO NOTHING`;

/** Rows that are known already change if the opt-out is another one than theirs. */
const store = `
ON CONFLICT (account_id, recipient, sender) WHERE opted_in_at IS NULL DO UPDATE
SET opted_out_at = excluded.opted_out_at, service = excluded.service, word = excluded.word, source = excluded.source
WHERE known.opted_out_at < excluded.opted_out_at`;

/** Accounts of this part of the database that have texted `n.recipient` from `n.sender` or `n.service`. */
const texting = `
  SELECT DISTINCT account_id FROM (
    SELECT account_id, sender, status FROM messages
    WHERE recipient = n.recipient ORDER BY id DESC LIMIT ${MESSAGES_LOOKED_MAX}
  ) latest
  WHERE sender IN (n.sender, n.service) AND status <> 'canceled'`;

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
CROSS JOIN LATERAL (${texting}) t
ORDER BY t.account_id, n.recipient, n.sender ${store}
RETURNING account_id AS "accountId"`;

/**
 * The same for the opt-outs of the last hours that another part of the database, or a process of
 * the release before, has stored. Parameter: hours. A number's opt-out stands for the one of its
 * messaging service, which was stored in the same moment.
 */
export const listRecentForAccounts = {
  name: 'opt-outs-recent-1',
  text: `
INSERT INTO account_opt_outs AS known (account_id, recipient, sender, service, source, opted_out_at)
SELECT t.account_id, n.recipient, n.sender, n.service, 'reply', date_trunc('milliseconds', n.created_at)
FROM (
  SELECT o.recipient, o.sender, o.created_at, (
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
CROSS JOIN LATERAL (${texting}) t
ORDER BY t.account_id, n.recipient, n.sender ${store}`,
} as const;

const deletePairs = `
DELETE FROM public.opt_outs o USING unnest($1::text[], $2::text[]) AS n (recipient, sender)
WHERE o.recipient = n.recipient AND o.sender = n.sender`;

/** Parameters: recipients, senders. */
export const endOptOutsStatement = {
  name: 'opt-outs-end-2',
  text: `
UPDATE account_opt_outs k SET opted_in_at = date_trunc('milliseconds', now())
FROM unnest($1::text[], $2::text[]) AS n (recipient, sender)
WHERE k.recipient = n.recipient AND k.opted_in_at IS NULL AND (k.sender = n.sender OR k.service = n.sender)
RETURNING k.account_id AS "accountId"`,
} as const;

/**
 * Stores opt-outs: acceptance and claims refuse messages of these senders to these recipients, and
 * the accounts that have texted them, which are returned, see the opt-outs. A known one stays as it
 * is.
 */
export async function insertOptOuts(tx: EntityManager, optOuts: readonly NewOptOut[]): Promise<string[]> {
  if (optOuts.length === 0) return [];
  const pairs = optOuts.flatMap(({ recipient, sender, service }) =>
    (service === null || service === sender ? [sender] : [sender, service]).map((one) => ({ recipient, sender: one })),
  );
  await tx.query(insertText, [pairs.map(({ recipient }) => recipient), pairs.map(({ sender }) => sender)]);
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

/** Lifts the opt-outs of these recipients from these senders, for all accounts; returns those that saw one. */
export async function endOptOuts(tx: EntityManager, pairs: readonly OptOutPair[]): Promise<string[]> {
  if (pairs.length === 0) return [];
  const values = [pairs.map(({ recipient }) => recipient), pairs.map(({ sender }) => sender)];
  await tx.query(deletePairs, values);
  // TypeORM returns the rows of an UPDATE beside their number.
  const [ended] = await tx.query<[{ accountId: string }[], number]>(endOptOutsStatement.text, values);
  return ended.map(({ accountId }) => accountId);
}
