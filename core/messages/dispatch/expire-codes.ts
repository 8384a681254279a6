import { Injectable } from '@nestjs/common';
import { Logger } from '../../platform/telemetry/logger.js';
import { OtpPayloads } from '../store/otp-payloads.js';
import { StatusUpdates } from '../status/status-updates.js';

/**
 * Fails and refunds one-time passwords as soon as they expire while a carrier is paused: a late
 * code is useless.
 */
@Injectable()
export class ExpireCodes {
  constructor(
    private readonly otpPayloads: OtpPayloads,
    private readonly statusUpdates: StatusUpdates,
    private readonly logger: Logger,
  ) {}

  async run(): Promise<void> {
    const messages = await this.otpPayloads.expiredInQueue();
    await Promise.all(
      messages.map(async (message) => {
        const { id } = message;
        await this.statusUpdates.apply({ id, status: 'failed', carrierId: null, errorCode: 'expired' });
        await this.otpPayloads.forget(message);
      }),
    );
    if (messages.length > 0)
      this.logger.info({ messages: messages.length }, 'one-time passwords expired while dispatch is paused');
  }
}
