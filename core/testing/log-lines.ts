import { Logger } from '../platform/telemetry/logger.js';
import type { TestCore } from './test-core.js';

export interface LogLine {
  readonly text: string;
  readonly data: unknown;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/**
 * Collects a container's warnings and errors, or other levels, until the test's mocks are restored.
 */
export function logLines(parts: Pick<TestCore, 'get'>, levels: readonly Level[] = ['warn', 'error']): LogLine[] {
  const lines: LogLine[] = [];
  const logger = parts.get(Logger);
  for (const level of levels) {
    jest.spyOn(logger, level).mockImplementation((data, text) => void lines.push({ text, data }));
  }
  return lines;
}
