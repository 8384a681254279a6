import { Module } from '@nestjs/common';
import { Draining } from './lifecycle.js';
import { MetricsReaders, ReadMetrics, WaitingRowsRepository } from './read-metrics.js';
import { Readiness } from './readiness.js';

@Module({
  providers: [Readiness, Draining, ReadMetrics, MetricsReaders, WaitingRowsRepository],
  exports: [Readiness, Draining, ReadMetrics, MetricsReaders],
})
export class HealthModule {}
