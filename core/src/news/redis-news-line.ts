import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { RedisClient } from '../queue/redis-client.js';
import { NewsLine, type NewsListener } from './news-line.js';

const RECONNECT_MS_MAX = 1_000;

/** News over Redis's publish and subscribe. Who subscribes needs a connection of his own (Redis manual, Pub/Sub). */
@Injectable()
export class RedisNewsLine extends NewsLine implements OnApplicationShutdown {
  isLive = false;
  private subscriber: Redis | undefined;
  private readonly channel: string;

  constructor(
    private readonly client: RedisClient,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
    this.channel = client.key('news');
  }

  async publish(text: string): Promise<void> {
    if (!this.client.redis) throw new Error('Redis carries the news only where it is configured');
    await this.client.redis.publish(this.channel, text);
  }

  listen({ onText, onLive }: NewsListener): void {
    const { redisUrl } = this.config.queue;
    if (!redisUrl) throw new Error('Redis carries the news only where it is configured');
    const subscriber = new Redis(redisUrl, {
      // An operator tells it from the others in CLIENT LIST.
      connectionName: this.channel,
      // Subscribed by hand below, so that `onLive` is said when Redis has confirmed it.
      autoResubscribe: false,
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(times * 100, RECONNECT_MS_MAX),
    });
    this.subscriber = subscriber;
    const subscribe = async () => {
      await subscriber.subscribe(this.channel);
      this.isLive = true;
      onLive();
    };
    // A subscription that breaks off is made again at the next `ready`.
    subscriber.on('ready', () => {
      subscribe().catch((err: unknown) => this.logger.debug({ err }, 'news not subscribed'));
    });
    subscriber.on('close', () => (this.isLive = false));
    subscriber.on('error', (err: Error) => this.logger.warn({ reason: err.message }, 'news line is away'));
    subscriber.on('message', (_channel: string, text: string) => onText(text));
  }

  onApplicationShutdown(): void {
    this.subscriber?.disconnect();
  }
}
