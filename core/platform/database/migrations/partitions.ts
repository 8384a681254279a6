/**
 * The statements that create functions for partitions by a UUIDv7 column: their bounds are the
 * lowest ids of two instants, so that a span of time is a span of partitions. All days and months
 * are in UTC. Partitions are made ahead of time, so that none has to be split off later.
 */

/** Two processes create or drop partitions of a table in turn. */
const lock = (table: string) => `PERFORM pg_advisory_xact_lock(hashtext('partitions of ${table}'));`;

/**
 * Creates `name(first_month date, months integer)`, which creates the partitions that are missing.
 * `storage` is added to their definition.
 */
export const ensuresMonths = (name: string, table: string, storage = '') => `
CREATE FUNCTION ${name}(first_month date, months integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month timestamp;
  partition text;
BEGIN
  ${lock(table)}
  FOR step IN 0 .. months - 1 LOOP
    month := date_trunc('month', first_month::timestamp) + make_interval(months => step);
    partition := '${table}_' || to_char(month, 'YYYY_MM');
    IF to_regclass(partition) IS NULL THEN
      EXECUTE format(
        'CREATE TABLE %I PARTITION OF ${table} FOR VALUES FROM (%L) TO (%L) ${storage}',
        partition,
        uuid_v7_floor(month AT TIME ZONE 'UTC'),
        uuid_v7_floor((month + interval '1 month') AT TIME ZONE 'UTC')
      );
    END IF;
  END LOOP;
END
$$`;

/** As {@link ensuresMonths}, for days: `name(first_day date, days integer)`, tables not logged. */
export const ensuresDays = (name: string, table: string) => `
CREATE FUNCTION ${name}(first_day date, days integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  day date;
  partition text;
BEGIN
  ${lock(table)}
  FOR step IN 0 .. days - 1 LOOP
    day := first_day + step;
    partition := '${table}_' || to_char(day, 'YYYY_MM_DD');
    IF to_regclass(partition) IS NULL THEN
      EXECUTE format(
        'CREATE UNLOGGED TABLE %I PARTITION OF ${table} FOR VALUES FROM (%L) TO (%L)',
        partition,
        uuid_v7_floor(day::timestamp AT TIME ZONE 'UTC'),
        uuid_v7_floor((day + 1)::timestamp AT TIME ZONE 'UTC')
      );
    END IF;
  END LOOP;
END
$$`;

/**
 * Creates `name(before timestamptz)`, which drops the partitions of a month or day that ended
 * before the instant and returns how many.
 */
export const dropsEnded = (name: string, table: string, period: 'month' | 'day') => {
  const { format, digits } = formats[period];
  return `
CREATE FUNCTION ${name}(before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  partition text;
  dropped integer := 0;
BEGIN
  ${lock(table)}
  FOR partition IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = '${table}'::regclass AND c.relname ~ '^${table}_${digits}$'
      AND to_date(right(c.relname, ${format.length}), '${format}') + interval '1 ${period}' <= before AT TIME ZONE 'UTC'
  LOOP
    EXECUTE format('DROP TABLE %I', partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$`;
};

const formats = {
  month: { format: 'YYYY_MM', digits: '\\d{4}_\\d{2}' },
  day: { format: 'YYYY_MM_DD', digits: '\\d{4}_\\d{2}_\\d{2}' },
};
