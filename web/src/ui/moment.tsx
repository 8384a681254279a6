import { exactTimes, newYorkMoment } from './format.js';

/** Day and time in New York; pointing at it shows the exact time there and here. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTimes(at)}>
      {newYorkMoment(at)}
    </time>
  );
}
