import { Injectable } from '@nestjs/common';
import { Logger } from '../../platform/telemetry/logger.js';

export interface Newcomer {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
}

export type SignUpListener = (newcomer: Newcomer) => Promise<void>;

/**
 * Who wants to know that somebody has signed up. Told after the commit; a listener that fails is logged, and the newcomer
 * is signed in all the same. The composition root adds listeners; without any, nothing happens.
 */
@Injectable()
export class SignUpListeners {
  private readonly listeners: SignUpListener[] = [];

  constructor(private readonly logger: Logger) {}

  add(listener: SignUpListener): void {
    this.listeners.push(listener);
  }

  async tell(newcomer: Newcomer): Promise<void> {
    for (const listener of this.listeners) {
      await listener(newcomer).catch((err: unknown) =>
        this.logger.error({ err, accountId: newcomer.id }, 'a listener of sign-ups failed'),
      );
    }
  }
}
