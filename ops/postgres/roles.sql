-- The roles of the product's database. docs/operating.md, "Roles of the database", explains them.
--
--   migrator   owns the schema, the tables and the functions; runs the migrations
--   app        what server, worker and the operator's commands connect as: reads and writes rows
--   reader     reads, without keys, hashes, ciphertexts, codes and texts of messages; also what the
--              server counts, if a superuser runs this (pg_monitor)
--   backup     reads everything, for pg_dump
--
-- Run it as a superuser, or as the owner of the database with CREATEROLE and CREATEDB, in the
-- product's database, empty or filled. It may be run again at any time, and changes passwords then:
--
--   psql "$ADMIN_URL" --file=ops/postgres/roles.sql
--
-- The passwords are read from MIGRATOR_PASSWORD, APP_PASSWORD, READER_PASSWORD and BACKUP_PASSWORD,
-- so that no list of processes shows them; a role whose variable is not set, or is empty, keeps what it
-- has. Other names:
-- --set=migrator=NAME --set=app=NAME --set=reader=NAME --set=backup=NAME.
\set ON_ERROR_STOP on
\set QUIET on
\pset tuples_only on
\if :{?migrator}
\else
  \set migrator pennytext_migrator
\endif
\if :{?app}
\else
  \set app pennytext_app
\endif
\if :{?reader}
\else
  \set reader pennytext_reader
\endif
\if :{?backup}
\else
  \set backup pennytext_backup
\endif
\getenv migrator_password MIGRATOR_PASSWORD
\getenv app_password APP_PASSWORD
\getenv reader_password READER_PASSWORD
\getenv backup_password BACKUP_PASSWORD
-- Postgres takes an empty password for none, and clears the one that the role has.
\if :{?migrator_password}
\else
  \set migrator_password ''
\endif
\if :{?app_password}
\else
  \set app_password ''
\endif
\if :{?reader_password}
\else
  \set reader_password ''
\endif
\if :{?backup_password}
\else
  \set backup_password ''
\endif
SELECT :'migrator_password' <> '' AS has_migrator_password, :'app_password' <> '' AS has_app_password,
  :'reader_password' <> '' AS has_reader_password, :'backup_password' <> '' AS has_backup_password \gset

BEGIN;
-- Passwords do not go into the server's log; a superuser can see to that.
SELECT format('SET LOCAL %s', setting)
FROM unnest(ARRAY['log_statement = none', 'log_min_error_statement = panic', 'log_min_duration_statement = -1']) setting
WHERE (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) \gexec

SELECT format('CREATE ROLE %I LOGIN', name)
FROM unnest(ARRAY[:'migrator', :'app', :'reader', :'backup']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
-- `admin backup verify` restores a dump into a database that it makes and drops.
ALTER ROLE :"migrator" CREATEDB;
\if :has_migrator_password
  ALTER ROLE :"migrator" PASSWORD :'migrator_password';
\endif
\if :has_app_password
  ALTER ROLE :"app" PASSWORD :'app_password';
\endif
\if :has_reader_password
  ALTER ROLE :"reader" PASSWORD :'reader_password';
\endif
\if :has_backup_password
  ALTER ROLE :"backup" PASSWORD :'backup_password';
\endif

-- A role that is no superuser gives objects away only to a role that it is a member of.
SELECT format('GRANT %I TO CURRENT_USER', :'migrator')
WHERE NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) \gexec

SELECT format('ALTER DATABASE %I OWNER TO %I', current_database(), :'migrator') \gexec
ALTER SCHEMA public OWNER TO :"migrator";
-- Existing objects: tables, views and sequences, then functions. Sequences of identity columns go with
-- their tables. Extensions keep their objects.
SELECT format('ALTER %s public.%I OWNER TO %I',
  CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, relname, :'migrator')
FROM pg_class c
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S') AND relowner <> :'migrator'::regrole
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('e', 'i') AND c.relkind = 'S')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') \gexec
SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, :'migrator')
FROM pg_proc p
WHERE pronamespace = 'public'::regnamespace AND proowner <> :'migrator'::regrole
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') \gexec

-- The functions that change tables with the migrator's rights. A restored dump may lack this.
SELECT format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', oid::regprocedure)
FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef AND proowner = :'migrator'::regrole \gexec

-- Temporary tables: a server finds out with one whether a full disk has room again.
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \gexec
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), :'app') \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO %I, %I', current_database(), :'reader', :'backup') \gexec
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO :"app", :"reader", :"backup";

SELECT format('GRANT pg_monitor TO %I', :'reader')
WHERE (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) \gexec

-- Privileges on existing objects, and default privileges on those that later migrations make. Functions
-- that only `app` may call are taken from PUBLIC by their migration, too.
SET LOCAL ROLE :"migrator";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"app";
GRANT SELECT, USAGE ON ALL SEQUENCES IN SCHEMA public TO :"app";
GRANT EXECUTE ON ALL ROUTINES IN SCHEMA public TO :"app";
GRANT SELECT ON ALL TABLES IN SCHEMA public TO :"backup";
GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO :"backup";
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"app";
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, USAGE ON SEQUENCES TO :"app";
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT EXECUTE ON ROUTINES TO :"app";
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO :"backup";
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON SEQUENCES TO :"backup";

-- The reader's privileges are by column, which default privileges cannot be: the migrations call
-- this function at their end, if it is there. Every column of bytes is a hash, a ciphertext, a key
-- or a signature; the others that are left out are listed. NAME stands for the reader.
SELECT replace($definition$
CREATE OR REPLACE FUNCTION public.grant_reading() RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  one record;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = NAME) THEN
    RETURN;
  END IF;
  FOR one IN
    SELECT c.relname AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.atttypid <> 'bytea'::regtype
      AND (c.relname, a.attname) NOT IN (
        ('accounts', 'password_hash'), ('redeem_codes', 'code'), ('redemptions', 'code'), ('idempotency_keys', 'key'),
        ('messages', 'body'), ('inbound_messages', 'body'), ('webhook_deliveries', 'body'), ('account_events', 'body'),
        ('mails', 'content')
      )
    GROUP BY c.relname
  LOOP
    EXECUTE format('REVOKE ALL ON %I FROM %I', one.name, NAME);
    EXECUTE format('GRANT SELECT (%s) ON %I TO %I', one.columns, one.name, NAME);
  END LOOP;
END
$$$definition$, 'NAME', quote_literal(:'reader')) \gexec
REVOKE ALL ON FUNCTION public.grant_reading() FROM PUBLIC, :"app";
SELECT public.grant_reading() \g /dev/null
COMMIT;
