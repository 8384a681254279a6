import { Module, type DynamicModule } from '@nestjs/common';
import { Config } from '../config/config.js';
import { QueueConnection } from './queue-connection.js';

/** The connection that BullMQ's root is made with. */
@Module({})
export class QueueConnectionModule {
  static as(role: 'producer' | 'worker'): DynamicModule {
    return {
      module: QueueConnectionModule,
      providers: [
        {
          provide: QueueConnection,
          inject: [Config],
          useFactory: (config: Config) => new QueueConnection(config, role),
        },
      ],
      exports: [QueueConnection],
    };
  }
}
