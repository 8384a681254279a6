import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../accounts/api-keys.js';
import { Config } from '../../platform/config/config.js';
import { boundedLine } from '../../platform/database/bounded-line.js';
import { GroupCommit } from '../../platform/database/group-commit.js';
import { FindSenders, type SenderQuestion } from './find-senders.js';

const BATCH_MAX = 100;
const BATCHES_IN_FLIGHT_MAX = 2;
const REMEMBERED_MAX = 100_000;

/**
 * The numbers or messaging services messages leave from. A recipient hears from an account by one and the same, and from
 * another account by another where there are enough: so replies find their way. One sender alone costs no look-up.
 */
@Injectable()
export class Senders {
  /** A sender once found stays; by key and recipient, the oldest first. */
  private readonly remembered = new Map<string, string>();
  private readonly group: GroupCommit<SenderQuestion, { sender: string; stays: boolean }>;

  constructor(
    private readonly config: Config,
    findSenders: FindSenders,
  ) {
    this.group = new GroupCommit({
      ...boundedLine(config),
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => findSenders.run(batch),
    });
  }

  /** `country` is the recipient's, ISO 3166-1 alpha-2. A test key is told a sender, and none is kept for it. */
  async for(key: ApiKey, recipient: string, country: string): Promise<string> {
    const candidates = this.config.twilio.countrySenders.get(country) ?? this.config.twilio.senders;
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1) return only;
    const name = `${key.hash.toString('base64')}${recipient}`;
    const known = this.remembered.get(name);
    if (known !== undefined) return known;
    const { sender, stays } = await this.group.submit({
      key,
      recipient,
      candidates: startingAt(recipient, candidates),
    });
    if (stays) this.remember(name, sender);
    return sender;
  }

  private remember(name: string, sender: string): void {
    this.remembered.set(name, sender);
    if (this.remembered.size <= REMEMBERED_MAX) return;
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined) this.remembered.delete(oldest);
  }
}

/** The same candidates from a place that depends on the recipient, so that the senders share the work. */
function startingAt(recipient: string, candidates: readonly string[]): string[] {
  const first = createHash('sha256').update(recipient).digest().readUInt32BE(0) % candidates.length;
  return [...candidates.slice(first), ...candidates.slice(0, first)];
}
