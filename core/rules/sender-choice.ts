/** An account's latest use of a sender with the recipient in question. */
export interface SenderUse {
  readonly accountId: string;
  readonly sender: string;
  readonly at: Date;
}

/**
 * Chooses the sender of an account for a recipient: the one that the account used before, otherwise the first one that no other
 * account has used with this recipient, otherwise the one that other accounts have not used for the longest time. This way each
 * reply has one owner.
 */
export function chooseSender(candidates: readonly string[], accountId: string, uses: readonly SenderUse[]): string {
  const known = uses.filter(({ sender }) => candidates.includes(sender));
  const own = newest(known.filter((use) => use.accountId === accountId));
  if (own) return own.sender;
  const lastUses = new Map<string, number>();
  for (const { sender, at } of known) lastUses.set(sender, Math.max(lastUses.get(sender) ?? 0, at.getTime()));
  const age = (sender: string) => lastUses.get(sender) ?? -1;
  const [best] = candidates.toSorted((a, b) => age(a) - age(b));
  if (best === undefined) throw new Error('chooseSender needs at least one candidate');
  return best;
}

function newest(uses: readonly SenderUse[]): SenderUse | undefined {
  return uses.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
}
