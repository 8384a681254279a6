import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Logger } from '../platform/telemetry/logger.js';
import { MediaFiles } from './media-files.js';

/**
 * Looks at the store of files when a server or a worker starts. Without it the process starts all
 * the same: everything but files works, and files wait.
 */
@Injectable()
export class CheckMediaFiles implements OnApplicationBootstrap {
  constructor(
    private readonly files: MediaFiles,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.files
      .check()
      .catch((err: unknown) => this.logger.error({ err }, 'files of messages cannot be stored: MEDIA_DIR'));
  }
}
