import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Logger } from '../telemetry/logger.js';
import { RedisClient } from '../queue/redis-client.js';
import { PubSub, type AccountEventListener } from './pub-sub.js';

const RECONNECT_STEP_MS = 100;
const RECONNECT_MS_MAX = 1_000;

/**
 * News over Redis's publish and subscribe. Who subscribes needs a connection of his own (Redis manual, Pub/Sub). One that
 * breaks is replaced by hand, so that `onLive` is said after every gap, and in a Cluster by way of another node.
 */
@Injectable()
export class RedisPubSub extends PubSub implements OnApplicationShutdown {
  isLive = false;
  private subscriber: Redis | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private isOver = false;
  private readonly channel: string;

  constructor(
    private readonly client: RedisClient,
    private readonly logger: Logger,
  ) {
    super();
    this.channel = client.key('news');
  }

  async publish(text: string): Promise<void> {
    if (!this.client.redis) throw new Error('Redis carries the news only where it is configured');
    await this.client.redis.publish(this.channel, text);
  }

  listen(listener: AccountEventListener): void {
    // An operator tells it from the others in CLIENT LIST.
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
        this.logger.debug({ err }, 'news not subscribed');
        subscriber.disconnect();
      });
    });
    subscriber.on('error', (err: Error) => this.logger.warn({ reason: err.message }, 'news line is away'));
    subscriber.on('message', (_channel: string, text: string) => listener.onText(text));
    subscriber.once('end', () => {
      this.isLive = false;
      if (this.isOver) return;
      this.failures += 1;
      const waitMs = Math.min(this.failures * RECONNECT_STEP_MS, RECONNECT_MS_MAX);
      this.timer = setTimeout(() => this.listen(listener), waitMs);
    });
  }

  onApplicationShutdown(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.subscriber?.disconnect();
  }
}
