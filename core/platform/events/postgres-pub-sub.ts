import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Notifications } from '../database/notifications.js';
import { Postgres } from '../database/postgres.js';
import { Logger } from '../telemetry/logger.js';
import { PubSub, type AccountEventListener } from './pub-sub.js';

/** News over Postgres's LISTEN and NOTIFY: what `npm start` without Redis has. */
@Injectable()
export class PostgresPubSub extends PubSub implements OnApplicationShutdown {
  private notifications: Notifications | undefined;
  private readonly channel: string;

  constructor(
    private readonly postgres: Postgres,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {
    super();
    this.channel = `${config.queue.prefix}:news`;
  }

  get isLive(): boolean {
    return this.notifications?.isLive ?? false;
  }

  async publish(text: string): Promise<void> {
    await this.postgres.notify(this.channel, text);
  }

  listen({ onText, onLive }: AccountEventListener): void {
    const { logger, channel } = this;
    const databaseUrl = this.config.database.directUrl;
    this.notifications = new Notifications({ databaseUrl, channel, onText, onLive, logger });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notifications?.close();
  }
}
