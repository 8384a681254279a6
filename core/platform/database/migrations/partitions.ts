/**
 * The statements that create functions for partitions by a UUIDv7 column: their bounds are the
 * lowest ids of two instants, so that a span of time is a span of partitions. All days and months
 * are in UTC. Partitions are made ahead of time, so that none has to be split off later.
 */

/** Two processes create or drop partitions of a table in turn. */
const lock = (table: string) => `PERFORM pg_advisory_xact_lock(hashtext('partitions of ${table}'));`;

/**
 * The functions run with the rights of the role that owns the tables, so that server and worker may
 * connect as one that only reads and writes rows (ops/postgres/roles.sql). The fixed path keeps
 * objects of the caller's out, and PUBLIC may not call them.
 */
const asOwner = 'LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp';
const notForPublic = (signature: string) => `REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`;

/** Most partitions that one call creates: two years of months, two months of days. */
const MONTHS_MAX = 24;
const DAYS_MAX = 62;

/** Refuses a number of partitions that no caller needs. */
const bounded = (count: 'months' | 'days', max: number) => `
  IF ${count} > ${max} THEN
    RAISE EXCEPTION 'At most ${max} ${count} at a time, not %', ${count} USING ERRCODE = 'invalid_parameter_value';
  END IF;`;

/**
 * Creates `name(first_month date, months integer)`, which creates the partitions that are missing.
 * `storage` is added to their definition.
 */
export const ensuresMonths = (name: string, table: string, storage = '') => `
CREATE FUNCTION ${name}(first_month date, months integer) RETURNS void ${asOwner} AS $$
DECLARE
  month timestamp;
  partition text;
BEGIN${bounded('months', MONTHS_MAX)}
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
$$;
${notForPublic(`${name}(date, integer)`)}`;

/** As {@link ensuresMonths}, for days: `name(first_day date, days integer)`, tables not logged. */
export const ensuresDays = (name: string, table: string) => `
CREATE FUNCTION ${name}(first_day date, days integer) RETURNS void ${asOwner} AS $$
DECLARE
  day date;
  partition text;
BEGIN${bounded('days', DAYS_MAX)}
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
$$;
${notForPublic(`${name}(date, integer)`)}`;

/**
 * Creates `name(before timestamptz)`, which drops the partitions of a month or day that ended
 * before the instant and returns how many.
 */
export const dropsEnded = (name: string, table: string, period: 'month' | 'day') => {
  const { format, digits } = formats[period];
  return `
CREATE FUNCTION ${name}(before timestamptz) RETURNS integer ${asOwner} AS $$
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
$$;
${notForPublic(`${name}(timestamptz)`)}`;
};

const formats = {
  month: { format: 'YYYY_MM', digits: '\\d{4}_\\d{2}' },
  day: { format: 'YYYY_MM_DD', digits: '\\d{4}_\\d{2}_\\d{2}' },
};
