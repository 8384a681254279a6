const OUT_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const IN_WORDS = new Set(['START', 'YES', 'UNSTOP']);
const HELP_WORDS = new Set(['HELP', 'INFO']);

const OUT_TEXT =
  'You have successfully been unsubscribed. You will not receive any more messages from this number. ' +
  'Reply START to resubscribe.';
const IN_TEXT =
  'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply ' +
  'STOP to unsubscribe. Msg&Data Rates May Apply.';
const HELP_TEXT = 'Reply STOP to unsubscribe. Msg&Data Rates May Apply.';

/** The keyword that a reply consists of. */
export function keywordOf(body: string): 'STOP' | 'START' | 'HELP' | null {
  const word = body.trim().toUpperCase();
  if (OUT_WORDS.has(word)) return 'STOP';
  if (IN_WORDS.has(word)) return 'START';
  return HELP_WORDS.has(word) ? 'HELP' : null;
}

/**
 * Opt-outs by phone and sender. The carriers handle them themselves: they answer the keyword and
 * reject later messages (Twilio's page "Twilio support for opt-out keywords", without Advanced
 * Opt-Out; the same words and texts stand for Telnyx).
 */
export class OptOuts {
  private readonly pairs = new Set<string>();

  /**
   * Applies a reply that consists of a keyword. Returns the carrier's answer, or null
   * when the keyword changes nothing or the text is not a keyword.
   */
  apply(phone: string, sender: string, body: string): string | null {
    // The carriers leave short codes and alphanumeric senders to their owners.
    if (!sender.startsWith('+')) return null;
    const pair = `${phone} ${sender}`;
    switch (keywordOf(body)) {
      case 'STOP':
        if (this.pairs.has(pair)) return null;
        this.pairs.add(pair);
        return OUT_TEXT;
      case 'START':
        return this.pairs.delete(pair) ? IN_TEXT : null;
      case 'HELP':
        return this.pairs.has(pair) ? null : HELP_TEXT;
      case null:
        return null;
    }
  }

  has(phone: string, sender: string): boolean {
    return this.pairs.has(`${phone} ${sender}`);
  }

  /** Lists the pairs as `phone sender`. */
  list(): string[] {
    return [...this.pairs];
  }

  restore(pairs: readonly string[]): void {
    for (const pair of pairs) this.pairs.add(pair);
  }

  clear(): void {
    this.pairs.clear();
  }
}
