import { exactTimes, newYorkMoment } from './format.js';

/** Day and time in New York; hovering shows the exact New York and local time. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTimes(at)}>
      {newYorkMoment(at)}
    </time>
  );
}
