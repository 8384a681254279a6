import { Module } from '@nestjs/common';
import { Draining } from './draining.js';
import { MetricsReaders } from './metrics-readers.js';
import { ReadMetrics } from './read-metrics.js';
import { Readiness } from './readiness.js';
import { WaitingRowsRepository } from './waiting-rows.repository.js';

@Module({
  providers: [Readiness, Draining, ReadMetrics, MetricsReaders, WaitingRowsRepository],
  exports: [Readiness, Draining, ReadMetrics, MetricsReaders],
})
export class HealthModule {}
