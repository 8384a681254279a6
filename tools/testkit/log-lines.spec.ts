import { complaintsOf } from './log-lines.js';

describe('complaints in a log', () => {
  const line = (level: number, msg: string) => `${JSON.stringify({ level, msg })}\n`;

  it('are warnings and worse, counted by text', () => {
    const log =
      line(30, 'server listens') +
      line(40, 'redis is unavailable') +
      line(50, 'job failed') +
      line(40, 'redis is unavailable');
    expect(complaintsOf(log).map(({ text, count }) => [text, count])).toEqual([
      ['redis is unavailable', 2],
      ['job failed', 1],
    ]);
  });

  it('are also what a program wrote past its logger, a stack as one', () => {
    const log = `${line(30, 'up')}Error: write EPIPE\n    at x\n    at y\n${line(30, 'down')}Killed\n`;
    expect(complaintsOf(log)).toEqual([
      { text: 'Error: write EPIPE', count: 1, example: 'Error: write EPIPE\n    at x\n    at y' },
      { text: 'Killed', count: 1, example: 'Killed\n' },
    ]);
  });

  it('are none in an empty log', () => {
    expect(complaintsOf('')).toEqual([]);
  });
});
