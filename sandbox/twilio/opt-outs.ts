const OUT_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const IN_WORDS = new Set(['START', 'YES', 'UNSTOP']);
const HELP_WORDS = new Set(['HELP', 'INFO']);

const OUT_TEXT =
  'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.';
const IN_TEXT =
  'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe. Msg&Data Rates May Apply.';
const HELP_TEXT = 'Reply STOP to unsubscribe. Msg&Data Rates May Apply.';

/**
 * Who has told which of the product's numbers to stop. Twilio keeps this itself, answers the person and refuses later messages with
 * 21610 (its page "Twilio support for opt-out keywords", without Advanced Opt-Out).
 */
export class OptOuts {
  private readonly pairs = new Set<string>();

  /**
   * Takes notice of a reply; only a text that is one of Twilio's keywords as a whole changes anything. Gives the text that
   * Twilio answers by itself, or null: who has stopped already, and who starts without having stopped, is told nothing.
   */
  hear(phone: string, sender: string, body: string): string | null {
    // Short codes and names are handled by whoever owns them.
    if (!sender.startsWith('+')) return null;
    const word = body.trim().toUpperCase();
    const pair = `${phone} ${sender}`;
    if (OUT_WORDS.has(word)) {
      if (this.pairs.has(pair)) return null;
      this.pairs.add(pair);
      return OUT_TEXT;
    }
    if (IN_WORDS.has(word)) return this.pairs.delete(pair) ? IN_TEXT : null;
    return HELP_WORDS.has(word) && !this.pairs.has(pair) ? HELP_TEXT : null;
  }

  has(phone: string, sender: string): boolean {
    return this.pairs.size > 0 && this.pairs.has(`${phone} ${sender}`);
  }

  /** Every pair as `phone sender`. */
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
