import { Client } from 'pg';
import type { Logger } from '../telemetry/logger.js';

const RECONNECT_AFTER_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

interface NotificationsOptions {
  /** Of Postgres itself: a pooler that shares connections among transactions takes LISTEN and passes nothing on. */
  readonly databaseUrl: string;
  readonly channel: string;
  readonly onText: (text: string) => void;
  /** Notifications arrive from now on; said again after each break. */
  readonly onLive: () => void;
  readonly logger: Logger;
}

/** Listens to Postgres's notifications (LISTEN) over a connection of its own, which comes back when it breaks. */
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
    client.on('error', (err) => logger.warn({ reason: err.message }, 'notifications are away'));
    client.once('end', () => this.comeBack());
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      this.isLive = true;
      onLive();
    } catch (err) {
      logger.warn({ err }, 'notifications not reached');
      this.comeBack();
    }
  }

  /** Once per break, whether it shows as an error, an end or both. */
  private comeBack(): void {
    this.isLive = false;
    if (this.isClosed || this.retry) return;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      void this.connect();
    }, RECONNECT_AFTER_MS);
  }
}
