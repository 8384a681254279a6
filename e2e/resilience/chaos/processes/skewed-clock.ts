/**
 * Preloaded by Node (`--import`): shifts the process's clock by CLOCK_SKEW_SECONDS. Timers and
 * performance.now() are monotonic and stay as they are.
 */
const skewMs = Number(process.env['CLOCK_SKEW_SECONDS']) * 1_000;
if (!Number.isFinite(skewMs)) throw new Error('CLOCK_SKEW_SECONDS must be a number of seconds');

const RealDate = Date;
const now = () => RealDate.now() + skewMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
});
