import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Logger } from '#core/platform/telemetry/logger.js';
import { ServiceStatus } from '#core/quality/service-status.js';

const REPORTED_EVERY_MS = 60_000;

/** Reports each minute that this server answers; the status page shows when no server does. */
@Injectable()
export class ReportPresence implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private latest: Promise<void> = Promise.resolve();

  constructor(
    private readonly serviceStatus: ServiceStatus,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.latest = this.report();
    this.timer = setInterval(() => {
      this.latest = this.report();
    }, REPORTED_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.latest;
  }

  private async report(): Promise<void> {
    try {
      await this.serviceStatus.reportServer();
    } catch (err) {
      this.logger.warn({ err }, 'presence of the server not reported');
    }
  }
}
