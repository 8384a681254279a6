import type { OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { PubSub, type PubSubListener } from './pub-sub.js';
import type { Logger } from '../telemetry/logger.js';
import type { RedisClient } from './redis-client.js';

const RECONNECT_STEP_MS = 100;
const RECONNECT_MS_MAX = 1_000;

/**
 * Pub/sub over Redis. Subscribing needs its own connection (Redis manual, Pub/Sub). A broken
 * connection is replaced here, so that `onLive` follows every gap, and in a Cluster through another
 * node.
 */
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
    await this.client.redis.publish(this.channel, text);
  }

  listen(listener: PubSubListener): void {
    // The name identifies the connection in CLIENT LIST.
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
