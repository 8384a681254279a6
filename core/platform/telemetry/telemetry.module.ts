import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Config, version } from '../config/config.js';
import { Logger } from './logger.js';
import { Metrics, type ProcessName } from './metrics.js';
import { Telemetry } from './telemetry.js';
import { Tracer } from './tracer.js';

/** Provides the logger, metrics and tracer of the process to every module. */
@Global()
@Module({})
export class TelemetryModule implements OnApplicationShutdown {
  static forRoot({ process, logger }: { process: ProcessName; logger: Logger }): DynamicModule {
    const metrics = new Metrics(process);
    if (process !== 'admin') metrics.collectDefaults();
    return {
      module: TelemetryModule,
      providers: [
        { provide: Logger, useValue: logger },
        { provide: Metrics, useValue: metrics },
        Telemetry,
        {
          provide: Tracer,
          inject: [Config],
          useFactory: ({ tracing }: Config) => createTracer(tracing.endpoint, `pennytext-${process}`, logger),
        },
      ],
      exports: [Logger, Metrics, Tracer, Telemetry],
    };
  }

  constructor(
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.logger.flush();
    await this.tracer.close();
  }
}

/** Loads OpenTelemetry only if a collector is configured. */
async function createTracer(endpoint: string | undefined, service: string, logger: Logger): Promise<Tracer> {
  if (endpoint === undefined) return new Tracer();
  const { OpenTelemetryTracer } = await import('./open-telemetry.js');
  return new OpenTelemetryTracer({ endpoint, service, version, logger });
}
