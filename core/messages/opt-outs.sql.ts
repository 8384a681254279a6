import type { EntityManager } from 'typeorm';

/** A recipient who does not want messages from a sender: a number or a messaging service. */
export interface OptOutPair {
  readonly recipient: string;
  readonly sender: string;
}

// The schema names the table that all parts of a divided database share.
const insertText = `
INSERT INTO public.opt_outs (recipient, sender) SELECT * FROM unnest($1::text[], $2::text[]) AS n (recipient, sender)
ORDER BY recipient, sender ON CONFLICT DO NOTHING`;

/**
 * Stores opt-outs: acceptance and claims refuse messages of these senders to these recipients. A
 * known one stays as it is.
 */
export async function insertOptOuts(tx: EntityManager, pairs: readonly OptOutPair[]): Promise<void> {
  if (pairs.length === 0) return;
  await tx.query(insertText, [pairs.map(({ recipient }) => recipient), pairs.map(({ sender }) => sender)]);
}
