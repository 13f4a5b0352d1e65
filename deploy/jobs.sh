#!/bin/sh
# Create the role and the database through which workers get jobs. PostgreSQL's image runs this with a new database.
set -eu
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set password="$SPARRING_JOBS_PASSWORD" <<'SQL'
CREATE ROLE sparring_jobs LOGIN PASSWORD :'password';
CREATE DATABASE sparring_jobs OWNER sparring_jobs;
REVOKE CONNECT ON DATABASE sparring FROM PUBLIC;
SQL
