import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';

/**
 * Whether accounts receive messages: they do when they have a webhook URL other than the default. A webhook that is turned
 * off for its failures still receives; what comes meanwhile waits for it.
 */
@Injectable()
export class Receiving {
  constructor(private readonly endpoints: EndpointsRepository) {}

  async isOn(tx: EntityManager, accountId: string): Promise<boolean> {
    return (await this.among(tx, [accountId])).has(accountId);
  }

  /** Those of the accounts that receive. */
  async among(tx: EntityManager, accountIds: readonly string[]): Promise<Set<string>> {
    return this.endpoints.withUrl(tx, accountIds);
  }
}
