#!/bin/sh
# Run once by the PostgreSQL image on a new volume: creates the role that owns the tables, and the server's role.
set -eu
psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set owner="${TIENLEN_OWNER_PASSWORD:?is to be said in .env}" --set web="${TIENLEN_WEB_PASSWORD:?is to be said in .env}" <<'END'
CREATE ROLE tienlen_owner LOGIN PASSWORD :'owner';
CREATE ROLE tienlen_web LOGIN PASSWORD :'web';
CREATE DATABASE tienlen OWNER tienlen_owner;
END
