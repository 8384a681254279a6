export interface PubSubListener {
  readonly onText: (text: string) => void;
  /** Every text arrives from now on; called again after each disconnection. */
  readonly onLive: () => void;
}

/**
 * Carries texts from every process to every listening process while both are connected; nothing is
 * stored for later.
 */
export abstract class PubSub {
  /** Rejects when this process is disconnected. */
  abstract publish(text: string): Promise<void>;
  /**
   * Connects, and reconnects as needed. Called once per process; without it the process costs no
   * connection.
   */
  abstract listen(listener: PubSubListener): void;
  /** True while this process receives every text. */
  abstract readonly isLive: boolean;
}
