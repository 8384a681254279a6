/** Who hears news. `onLive`: from now on every text arrives; said again each time the line was broken. */
export interface AccountEventListener {
  readonly onText: (text: string) => void;
  readonly onLive: () => void;
}

/**
 * Carries texts from every process of the product to every one that listens, while both are connected: nothing is kept for
 * who is away.
 */
export abstract class PubSub {
  /** Rejects when the line is broken on this side. */
  abstract publish(text: string): Promise<void>;
  /** Connects, again and again when need be. Called once per process; a process that never calls it costs no connection. */
  abstract listen(listener: AccountEventListener): void;
  /** Whether this process hears every text at the moment. */
  abstract readonly isLive: boolean;
}
