import { Client } from 'pg';
import { Logger } from '../telemetry/logger.js';

const RECONNECT_AFTER_MS = 1_000;

const CONNECT_TIMEOUT_MS = 5_000;

interface NotificationsOptions {
  /** Must bypass a transaction pooler, which accepts LISTEN but delivers no notifications. */
  readonly databaseUrl: string;
  readonly channel: string;
  readonly onText: (text: string) => void;
  /** Called when notifications start to arrive, again after each reconnect. */
  readonly onLive: () => void;
  readonly logger: Logger;
}

/**
 * Receives Postgres notifications (LISTEN) over its own connection and reconnects when it breaks.
 */
export class Notifications {
  isLive = false;
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly options: NotificationsOptions) {
    void this.connect();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retry);
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const { databaseUrl, channel, onText, onLive, logger } = this.options;
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    this.client = client;
    client.on('notification', ({ payload }) => onText(payload ?? ''));
    client.on('error', (err) => logger.warn({ reason: err.message }, 'notifications disconnected'));
    client.once('end', () => this.reconnect());
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      this.isLive = true;
      onLive();
    } catch (err) {
      logger.warn({ err }, 'notifications not connected');
      this.reconnect();
    }
  }

  /** Reconnects once per break, whether it was reported as an error, an end or both. */
  private reconnect(): void {
    this.isLive = false;
    if (this.isClosed || this.retry) return;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      void this.connect();
    }, RECONNECT_AFTER_MS);
  }
}
