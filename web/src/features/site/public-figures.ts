import type {
  QualityAnswer,
  QualityCell,
  RegionsAnswer,
  RegionView,
  StatusAnswer,
  StatusDay,
} from '#contract/public-figures.js';
import { components, componentStates } from '#contract/status-names.js';

const ANSWER_WITHIN_MS = 20_000;

/** Reads the status of the service. Throws on any other answer, and errors of `fetch`. */
export function readStatus(): Promise<StatusAnswer> {
  return read('/api/status', isStatus);
}

/** Reads the figures of delivery. Throws on any other answer, and errors of `fetch`. */
export function readQuality(): Promise<QualityAnswer> {
  return read('/api/quality', isQuality);
}

/** Reads the countries and their prices. Throws on any other answer, and errors of `fetch`. */
export function readRegions(): Promise<RegionsAnswer> {
  return read('/api/regions', isRegions);
}

async function read<Answer>(path: string, isAnswer: (json: unknown) => json is Answer): Promise<Answer> {
  const response = await fetch(path, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const json: unknown = response.ok ? await response.json() : undefined;
  if (!isAnswer(json)) throw new Error(`Unexpected answer ${response.status} of ${path}`);
  return json;
}

// The pages check answers by hand: the schemas of contract would bring 28 kB of zod.

/** A check of each field that a page uses. */
type Checks<Answer> = { readonly [Field in keyof Answer]-?: (value: unknown) => boolean };

const objectOf =
  <Answer extends object>(checks: Checks<Answer>) =>
  (value: unknown): value is Answer =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Checks<Answer>[keyof Answer]>(checks).every(([name, isRight]) => isRight(Reflect.get(value, name)));

const listOf = (isRight: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isRight);
const oneOf =
  <Value>(...values: readonly Value[]) =>
  (value: unknown) =>
    values.some((one) => one === value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isYesOrNo = (value: unknown) => typeof value === 'boolean';
const isNumber = (value: unknown) => typeof value === 'number';
const isTime = (value: unknown) => isText(value) && !Number.isNaN(Date.parse(value));
const orNull = (isRight: (value: unknown) => boolean) => (value: unknown) => value === null || isRight(value);
const isComponent = oneOf(...components);
const isState = oneOf(...componentStates);

export const isStatus = objectOf<StatusAnswer>({
  success: oneOf('true'),
  measured_at: orNull(isTime),
  components: listOf(
    objectOf<StatusAnswer['components'][number]>({
      component: isComponent,
      state: isState,
    }),
  ),
  incidents: listOf(
    objectOf<StatusAnswer['incidents'][number]>({
      component: isComponent,
      state: oneOf('degraded', 'outage'),
      started_at: isTime,
      ended_at: orNull(isTime),
    }),
  ),
  history: listOf(
    objectOf<StatusAnswer['history'][number]>({
      component: isComponent,
      available_percent: orNull(isNumber),
      days: listOf(
        objectOf<StatusDay>({
          day: isTime,
          state: isState,
          available_percent: orNull(isNumber),
          measured_percent: isNumber,
        }),
      ),
    }),
  ),
});

export const isQuality = objectOf<QualityAnswer>({
  success: oneOf('true'),
  computed_at: orNull(isTime),
  quality: listOf(
    objectOf<QualityCell>({
      day: isTime,
      country: isText,
      delivered_percent: isNumber,
      median_seconds: orNull(isNumber),
      p95_seconds: orNull(isNumber),
      verified_percent: orNull(isNumber),
    }),
  ),
});

export const isRegions = objectOf<RegionsAnswer>({
  success: oneOf('true'),
  regions: listOf(
    objectOf<RegionView>({
      country: isText,
      code: isText,
      iso2: isText,
      area_code: isText,
      credits_per_sms: isNumber,
      active: isYesOrNo,
      otp: isYesOrNo,
      voice: isYesOrNo,
    }),
  ),
});
