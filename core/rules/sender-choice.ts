/** That an account has used a sender with the recipient in question, and when last. */
export interface SenderUse {
  readonly accountId: string;
  readonly sender: string;
  readonly at: Date;
}

/**
 * The sender by which a recipient is to know an account: the one the account used before, else the first that no other
 * account has used with him, else the one that others have not used for the longest time. So a reply to it has one owner.
 */
export function chooseSender(candidates: readonly string[], accountId: string, uses: readonly SenderUse[]): string {
  const known = uses.filter(({ sender }) => candidates.includes(sender));
  const own = newest(known.filter((use) => use.accountId === accountId));
  if (own) return own.sender;
  const lastUses = new Map<string, number>();
  for (const { sender, at } of known) lastUses.set(sender, Math.max(lastUses.get(sender) ?? 0, at.getTime()));
  const age = (sender: string) => lastUses.get(sender) ?? -1;
  const [best] = candidates.toSorted((a, b) => age(a) - age(b));
  if (best === undefined) throw new Error('There is at least one sender to choose from');
  return best;
}

function newest(uses: readonly SenderUse[]): SenderUse | undefined {
  return uses.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
}
