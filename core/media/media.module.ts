import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { Config } from '../platform/config/config.js';
import { MediaFiles } from './media-files.js';
import { MediaLinks } from './media-links.js';
import { MediaRetention } from './media-retention.js';
import { MediaViews } from './media-views.js';
import { MediaStore } from './media-store.js';
import { MediaRepository } from './media.repository.js';
import { ReplyMedia } from './reply-media.js';

/** Opens the store of files that the configuration names. */
export type BuildMediaFiles = (config: Config) => Promise<MediaFiles>;

/** The store of files, given by the composition root. */
@Global()
@Module({})
export class MediaFilesModule {
  static over(build: BuildMediaFiles): DynamicModule {
    return {
      module: MediaFilesModule,
      providers: [{ provide: MediaFiles, inject: [Config], useFactory: build }],
      exports: [MediaFiles],
    };
  }
}

const services = [MediaStore, MediaLinks, MediaRetention, MediaViews, ReplyMedia];

/** Files of messages: stored, served, expired and erased. */
@Module({
  imports: [AccountsModule, CreditsModule],
  providers: [...services, MediaRepository],
  exports: services,
})
export class MediaModule {}
