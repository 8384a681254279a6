const OUT_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const IN_WORDS = new Set(['START', 'YES', 'UNSTOP']);

/** Who has told which of the product's numbers to stop. Twilio keeps this itself and refuses with 21610. */
export class OptOuts {
  private readonly pairs = new Set<string>();

  /** Takes notice of a reply; only a text that is one of Twilio's keywords as a whole changes anything. */
  hear(phone: string, sender: string, body: string): void {
    const word = body.trim().toUpperCase();
    if (OUT_WORDS.has(word)) this.pairs.add(`${phone} ${sender}`);
    else if (IN_WORDS.has(word)) this.pairs.delete(`${phone} ${sender}`);
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
