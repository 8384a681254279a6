import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RedisClient } from '../../platform/queue/redis-client.js';

/** Notices that Redis came back without its data: a mark left there is gone. */
@Injectable()
export class QueueMemory {
  constructor(private readonly client: RedisClient) {}

  /** True once after every loss, and at the very first start. Throws while Redis is away. */
  async wasLost(): Promise<boolean> {
    const { redis } = this.client;
    if (!redis) return false;
    return (await redis.set(this.client.key('memory'), randomUUID(), 'NX')) === 'OK';
  }
}
