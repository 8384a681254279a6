/** Maximum age of a release after which a message may still name the number as its sender. */
const JUST_RELEASED = "interval '1 hour'";

/** SQL condition: messages may be sent from a number in this state. */
const sends = (number: string) => `${number}.status IN ('active', 'past_due')`;

/**
 * SQL condition: an account may send from a sender, which is its own number, or a shared sender if
 * the operator has given the account no senders.
 */
export const mayUse = (account: string, sender: string) => `coalesce(
      (SELECT bool_or(own.account_id = ${account} AND ${sends('own')}) FROM numbers own
       WHERE own.number = ${sender} AND (own.status <> 'released' OR own.released_at > now() - ${JUST_RELEASED})),
      NOT ${hasOperatorNumbers(account)}
    )`;

/**
 * SQL condition: the operator has given an account its own senders, so it uses no shared senders.
 * OFFSET keeps Postgres from reading the senders of all accounts once, as it plans to when there
 * are few.
 */
export function hasOperatorNumbers(account: string): string {
  return `EXISTS (
        SELECT FROM numbers given WHERE given.account_id = ${account} AND given.origin = 'operator' OFFSET 0
      )`;
}

/** SQL condition: a sender belongs, or belonged, to one account alone. */
export const isOwnNumber = (sender: string, numbers = 'numbers') =>
  `EXISTS (SELECT FROM ${numbers} own WHERE own.number = ${sender})`;

/**
 * SQL condition: a number is, or was, an account's; the number of a failed purchase has no owner.
 */
export function hasSent(number: string): string {
  return `(${number}.origin = 'operator' OR ${number}.activated_at IS NOT NULL)`;
}

/** SQL of an order that begins with the account that has a number, or had it last. */
export function latestOwner(number: string): string {
  return `${number}.status = 'released', ${number}.created_at DESC`;
}

/** SQL of the account that owns a number alone, or did last; null for a shared sender. */
export function ownerOf(sender: string): string {
  return `SELECT own.account_id FROM numbers own WHERE own.number = ${sender} AND ${hasSent('own')}
    ORDER BY ${latestOwner('own')} LIMIT 1`;
}

/**
 * Joins each message with its sender's row in `numbers` if an account has bought the sender, as a
 * relation `bought`: `carrier`, which sold it, and `has_left`, whether it has left the message's
 * account since. Both are null for any other sender, and if `where`, a cheap SQL condition, is
 * false.
 */
export const joinBought = (message: string, where = 'true') => `LEFT JOIN LATERAL (
    SELECT own.carrier, NOT (own.account_id = ${message}.account_id AND ${sends('own')}) AS has_left
    FROM numbers own
    WHERE ${where} AND own.number = ${message}.sender AND own.origin = 'purchase'
      AND own.created_at <= ${message}.created_at
      AND (own.status <> 'released' OR own.released_at >= ${message}.created_at)
    ORDER BY has_left LIMIT 1
  ) AS bought ON true`;

/**
 * SQL of the account that has bought one of these numbers; null if no account has. LATERAL finds
 * each number by its key: with ANY, and a plan from when there were few numbers, Postgres reads all
 * of them.
 */
export const buyerOf = (numbers: string) => `(
    SELECT own.account_id FROM unnest(${numbers}) AS asked_number CROSS JOIN LATERAL (
      SELECT account_id FROM numbers
      WHERE number = asked_number AND origin = 'purchase' AND status NOT IN ('reserving', 'released') LIMIT 1
    ) own
    LIMIT 1
  )`;

/** SQL condition: an account has or had bought a number. */
export const isBoughtBy = (account: string, number: string) => `EXISTS (
    SELECT FROM numbers own
    WHERE own.number = ${number} AND own.account_id = ${account} AND own.origin = 'purchase'
      AND own.status <> 'reserving'
  )`;

/** SQL condition: one of these numbers was released and rests; see {@link buyerOf}. */
export const rests = (numbers: string) => `EXISTS (
    SELECT FROM unnest(${numbers}) AS asked_number CROSS JOIN LATERAL (
      SELECT FROM numbers WHERE number = asked_number AND rests_until > now() LIMIT 1
    ) own
  )`;
