import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Metrics, type ProcessName } from './metrics.js';

/** Hands the process's metrics to everything. */
@Global()
@Module({})
export class MetricsModule {
  static of(process: ProcessName): DynamicModule {
    const metrics = new Metrics(process);
    if (process !== 'admin') metrics.collectDefaults();
    return {
      module: MetricsModule,
      providers: [{ provide: Metrics, useValue: metrics }],
      exports: [Metrics],
    };
  }
}
