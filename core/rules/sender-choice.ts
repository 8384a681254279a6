/** An account's latest use of a sender with the recipient in question. */
export interface SenderUse {
  readonly accountId: string;
  readonly sender: string;
  readonly at: Date;
}

interface SenderPool {
  readonly candidates: readonly string[];
  /** Senders whose conversation with this recipient another account owns. */
  readonly ownedByOthers: readonly string[];
}

/**
 * Chooses the sender of an account for a recipient, among those that no other account owns if there are any: the one that the
 * account used before, otherwise the first one that no other account has used with this recipient, otherwise the one that other
 * accounts have not used for the longest time. This way each reply has one owner.
 */
export function chooseSender(
  { candidates: all, ownedByOthers }: SenderPool,
  accountId: string,
  uses: readonly SenderUse[],
): string {
  const free = all.filter((sender) => !ownedByOthers.includes(sender));
  const candidates = free.length > 0 ? free : all;
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
