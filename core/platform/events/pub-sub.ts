import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { Postgres } from '../database/postgres.js';
import { RedisClient } from '../queue/redis-client.js';
import { Logger } from '../telemetry/logger.js';
import { Notifications } from '../database/notifications.js';

const RECONNECT_STEP_MS = 100;
const RECONNECT_MS_MAX = 1_000;

interface PubSubListener {
  readonly onText: (text: string) => void;
  /** From now on every text arrives; called again after each disconnection. */
  readonly onLive: () => void;
}

/**
 * Carries texts from every process to every listening one while both are connected; nothing is
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
  /** Whether this process receives every text at the moment. */
  abstract readonly isLive: boolean;
}

/**
 * Pub/sub over Redis. Subscribing needs a connection of its own (Redis manual, Pub/Sub). A broken
 * one is replaced by hand, so that `onLive` follows every gap, and in a Cluster through another
 * node.
 */
@Injectable()
export class RedisPubSub extends PubSub implements OnApplicationShutdown {
  isLive = false;
  private subscriber: Redis | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private isStopped = false;
  private readonly channel: string;

  constructor(
    private readonly client: RedisClient,
    private readonly logger: Logger,
  ) {
    super();
    this.channel = client.key('news');
  }

  async publish(text: string): Promise<void> {
    await this.client.redis?.publish(this.channel, text);
  }

  listen(listener: PubSubListener): void {
    // The name identifies it in CLIENT LIST.
    const subscriber = this.client.subscriber(this.channel);
    this.subscriber = subscriber;
    const subscribe = async () => {
      await subscriber.subscribe(this.channel);
      this.failures = 0;
      this.isLive = true;
      listener.onLive();
    };
    subscriber.on('ready', () => {
      subscribe().catch((err: unknown) => {
        this.logger.debug({ err }, 'account events not subscribed');
        subscriber.disconnect();
      });
    });
    subscriber.on('error', (err: Error) => this.logger.warn({ reason: err.message }, 'account events disconnected'));
    subscriber.on('message', (_channel: string, text: string) => listener.onText(text));
    subscriber.once('end', () => {
      this.isLive = false;
      if (this.isStopped) return;
      this.failures += 1;
      const waitMs = Math.min(this.failures * RECONNECT_STEP_MS, RECONNECT_MS_MAX);
      this.timer = setTimeout(() => this.listen(listener), waitMs);
    });
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.subscriber?.disconnect();
  }
}

/** Pub/sub over Postgres's LISTEN and NOTIFY, where there is no Redis. */
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

  listen({ onText, onLive }: PubSubListener): void {
    const { logger, channel } = this;
    const databaseUrl = this.config.database.directUrl;
    this.notifications = new Notifications({ databaseUrl, channel, onText, onLive, logger });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notifications?.close();
  }
}
