-- Functions with the names and parameters of Citus's own, which write down how they were called.

CREATE SCHEMA citus;
CREATE TYPE citus.distribution_type AS ENUM ('hash', 'range', 'append');
CREATE TABLE citus.pg_dist_partition (logicalrelid regclass PRIMARY KEY, partmethod "char");
ALTER TABLE citus.pg_dist_partition SET SCHEMA pg_catalog;
CREATE TABLE citus.calls (number serial PRIMARY KEY, call text NOT NULL);
CREATE TABLE citus.workers (nodename text, nodeport integer, success boolean, result text);

-- Refuses what Citus refuses: a key without the column, a reference to or from another table.
CREATE FUNCTION create_distributed_table(
    table_name regclass,
    distribution_column text,
    distribution_type citus.distribution_type DEFAULT 'hash',
    colocate_with text DEFAULT 'default',
    shard_count integer DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    place int2 := attnum FROM pg_attribute
        WHERE attrelid = table_name AND attname = distribution_column;
    plain text := string_agg(attname, ',') FROM pg_attribute
        WHERE attrelid = table_name AND attstorage = 'm' AND attnum > 0;
    held bigint;
BEGIN
    IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = table_name) THEN
        RAISE 'table % is already distributed', table_name;
    END IF;
    IF EXISTS (
        SELECT FROM pg_index WHERE indrelid = table_name AND indisunique AND indkey[0] <> place
    ) THEN
        RAISE 'a unique index of % does not begin with %', table_name, distribution_column;
    END IF;
    IF EXISTS (
        SELECT FROM pg_constraint WHERE contype = 'f' AND table_name IN (conrelid, confrelid)
    ) THEN
        RAISE '% has a foreign key', table_name;
    END IF;
    IF NOT EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted
    ) THEN
        RAISE 'the lock of the schema is not held';
    END IF;
    EXECUTE format('SELECT count(*) FROM %s', table_name) INTO held;
    INSERT INTO pg_dist_partition VALUES (table_name, 'h');
    INSERT INTO citus.calls (call) VALUES (format(
        '%s by %s with %s, rows %s, plain %s',
        table_name, distribution_column, colocate_with, held, coalesce(plain, 'none')
    ));
END $$;

CREATE FUNCTION truncate_local_data_after_distributing_table(function_table_name regclass)
RETURNS void LANGUAGE sql AS $$
    INSERT INTO citus.calls (call) VALUES ('truncate ' || function_table_name::text)
$$;

CREATE FUNCTION run_command_on_workers(
    command text,
    parallel boolean DEFAULT true,
    OUT nodename text,
    OUT nodeport integer,
    OUT success boolean,
    OUT result text
) RETURNS SETOF record LANGUAGE sql AS $$
    INSERT INTO citus.calls (call) VALUES ('on workers: ' || command);
    SELECT * FROM citus.workers;
$$;
