import { DomainError } from '../errors/domain-error.js';
import { Logger } from './logger.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly requestId?: number;
  readonly suppressed?: number;
  readonly err?: object;
}

describe('Logger', () => {
  let lines: Line[];
  let logger: Logger;

  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
    logger = new Logger({ name: 'test', level: 'info', destination });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const refused = () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
  const numbers = () => lines.map(({ requestId, suppressed }) => [requestId, suppressed]);

  it('writes one line a second during an outage, with the number of those that it stands for', () => {
    for (let requestId = 0; requestId < 120; requestId += 1) {
      logger.error({ requestId, err: refused() }, 'request failed');
      jest.advanceTimersByTime(25);
    }
    // 40 requests a second for 3 s.
    expect(numbers()).toEqual([
      [0, undefined],
      [39, 38],
      [79, 39],
      [119, 39],
    ]);
    const written = lines.length + lines.reduce((sum, { suppressed = 0 }) => sum + suppressed, 0);
    expect(written).toBe(120);
  });

  it('writes at once what fails for another reason, at another place or at another level', () => {
    logger.error({ err: refused() }, 'request failed');
    logger.error({ err: new DomainError('unavailable', 'Postgres is down.') }, 'request failed');
    logger.error({ err: new TypeError('x is undefined') }, 'request failed');
    logger.error({ err: new TypeError('y is undefined') }, 'request failed');
    logger.error({ err: refused() }, 'job failed');
    logger.warn({ err: refused() }, 'job failed');
    expect(lines).toHaveLength(6);
  });

  it('writes again at once after a quiet second', () => {
    logger.error({ requestId: 1, err: refused() }, 'request failed');
    jest.advanceTimersByTime(1_000);
    logger.error({ requestId: 2, err: refused() }, 'request failed');
    expect(numbers()).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
  });

  it('counts errors with the same code as one reason, whatever they name', () => {
    for (const id of [1, 2, 3])
      logger.warn({ err: Object.assign(new Error(`row ${id} is locked`), { code: '55P03' }) }, 'row not recovered yet');
    jest.advanceTimersByTime(1_000);
    expect(lines.map(({ suppressed }) => suppressed)).toEqual([undefined, 1]);
  });

  it('suppresses no line without an error: each tells of something else', () => {
    for (const accountId of ['a', 'b', 'c']) logger.warn({ accountId, reason: 'chargeback' }, 'account flagged');
    expect(lines).toHaveLength(3);
  });

  it('writes what waits when the process ends', () => {
    for (const requestId of [1, 2, 3]) logger.error({ requestId, err: refused() }, 'request failed');
    logger.flush();
    logger.flush();
    expect(numbers()).toEqual([
      [1, undefined],
      [3, 1],
    ]);
  });

  it('tracks a bounded number of reasons and writes further ones as they come', () => {
    for (let n = 0; n < 300; n += 1) logger.error({ err: new Error(`reason ${n}`) }, 'request failed');
    logger.error({ err: new Error('reason 299') }, 'request failed');
    logger.error({ err: new Error('reason 0') }, 'request failed');
    expect(lines).toHaveLength(301);
  });

  it('leaves out what Postgres adds to its errors', () => {
    const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (to)=(+12025550142)' });
    logger.error({ err: error }, 'request failed');
    expect(JSON.stringify(lines)).not.toContain('2025550142');
    expect(lines[0]?.err).toMatchObject({ code: '23505', message: 'duplicate key' });
  });
});
