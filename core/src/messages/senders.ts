import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';

/** The numbers or messaging services messages leave from. A recipient always hears from the same one. */
@Injectable()
export class Senders {
  constructor(private readonly config: Config) {}

  for(recipient: string): string {
    const { senders } = this.config.twilio;
    const [only] = senders;
    if (only !== undefined && senders.length === 1) return only;
    const digest = createHash('sha256').update(recipient).digest();
    const chosen = senders[digest.readUInt32BE(0) % senders.length];
    if (chosen === undefined) throw new Error('The configuration names at least one sender');
    return chosen;
  }
}
