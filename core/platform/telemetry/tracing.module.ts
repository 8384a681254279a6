import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { version } from '../config/version.js';
import { Config } from '../config/config.js';
import { LOGGER, type Logger } from './logger.js';
import { Tracer } from './tracer.js';

/** Hands the process's tracer to everything. OpenTelemetry is loaded only where the operator has named a collector. */
@Global()
@Module({})
export class TracingModule implements OnApplicationShutdown {
  static of(process: 'server' | 'worker' | 'admin'): DynamicModule {
    return {
      module: TracingModule,
      providers: [
        {
          provide: Tracer,
          inject: [Config, LOGGER],
          useFactory: async ({ tracing }: Config, logger: Logger) => {
            if (tracing.endpoint === undefined) return new Tracer();
            const { OpenTelemetryTracer } = await import('./open-telemetry.js');
            return new OpenTelemetryTracer({
              endpoint: tracing.endpoint,
              service: `pennytext-${process}`,
              version,
              logger,
            });
          },
        },
      ],
      exports: [Tracer],
    };
  }

  constructor(@Inject(Tracer) private readonly tracer: Tracer) {}

  async onApplicationShutdown(): Promise<void> {
    await this.tracer.close();
  }
}
