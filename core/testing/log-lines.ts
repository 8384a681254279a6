import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import type { TestCore } from './test-core.js';

export interface LogLine {
  readonly text: string;
  readonly data: unknown;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** What a container's warnings and errors, or other levels, say from now on, until the test's mocks are restored. */
export function logLines(parts: Pick<TestCore, 'named'>, levels: readonly Level[] = ['warn', 'error']): LogLine[] {
  const lines: LogLine[] = [];
  const logger = parts.named<Logger>(LOGGER);
  for (const level of levels) {
    jest.spyOn(logger, level).mockImplementation(((data: unknown, text: string) => {
      lines.push({ text, data });
    }) as Logger['warn']);
  }
  return lines;
}
