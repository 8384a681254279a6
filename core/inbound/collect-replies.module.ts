import { Module, type DynamicModule } from '@nestjs/common';
import { CollectReplies } from './collect-replies.js';
import { InboundModule } from './inbound.module.js';

/** Replies that are asked for, as the worker needs them; `carrier` is the module that has the carrier. */
@Module({})
export class CollectRepliesModule {
  static with(carrier: DynamicModule): DynamicModule {
    return {
      module: CollectRepliesModule,
      imports: [carrier, InboundModule],
      providers: [CollectReplies],
      exports: [CollectReplies],
    };
  }
}
