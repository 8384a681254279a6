import { DomainError } from '#core/platform/errors/domain-error.js';
import { boundedStream } from './bounded-stream.js';

const tooLarge = () => new DomainError('media_too_large', 'large');
const tooSlow = () => new DomainError('body_too_slow', 'slow');
const pace = { graceSeconds: 3, bytesPerSecondMin: 50_000, tooSlow };

describe('A body within bounds', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  /** Writes the same piece four times a second, and returns how it ended, and with how many bytes. */
  async function outcomeOf(
    bytesPerPiece: number,
    { seconds, startsAfter = 0 }: { seconds: number; startsAfter?: number },
  ) {
    const body = boundedStream({ bytesMax: 5_000_000, tooLarge, pace });
    const ended = jest.fn<void, [string]>();
    let bytes = 0;
    body.on('data', (chunk: Buffer) => (bytes += chunk.length));
    body.on('error', (error: DomainError) => ended(error.code));
    body.on('end', () => ended('end'));
    jest.advanceTimersByTime(startsAfter * 1_000);
    for (let pieces = 0; pieces < seconds * 4 && body.writable; pieces += 1) {
      body.write(Buffer.alloc(bytesPerPiece));
      jest.advanceTimersByTime(250);
      await turn();
    }
    if (body.writable) body.end();
    await turn();
    return { ended: ended.mock.calls.flat(), bytes, timers: jest.getTimerCount() };
  }

  it.each([
    ['an honest phone, 100,000 bytes a second for 20 seconds', 25_000, { seconds: 20 }, 'end', 2_000_000],
    ['a phone that begins after 2 seconds', 75_000, { seconds: 4, startsAfter: 2 }, 'end', 1_200_000],
    ['a small body, at whatever pace, within the grace', 1, { seconds: 2 }, 'end', 8],
    ['a byte at a time', 1, { seconds: 20 }, 'body_too_slow', 12],
    ['49,600 bytes a second', 12_400, { seconds: 20 }, 'body_too_slow', 12 * 12_400],
    ['more than the bound', 1_000_000, { seconds: 2 }, 'media_too_large', 5_000_000],
  ])('passes on or ends: %s', async (_what, bytesPerPiece, when, how, bytes) => {
    expect(await outcomeOf(bytesPerPiece, when)).toEqual({ ended: [how], bytes, timers: 0 });
  });

  it('ends when it slows down later', async () => {
    const body = boundedStream({ bytesMax: 5_000_000, tooLarge, pace });
    const failed = jest.fn<void, [DomainError]>();
    body.on('error', failed).resume().write(Buffer.alloc(500_000));
    jest.advanceTimersByTime(10_000);
    await turn();
    expect(failed).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1_000);
    await turn();
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'body_too_slow' }));
  });
});
