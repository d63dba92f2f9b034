"""Reading the schema and the rights of roles from PostgreSQL's catalogs, and the rights that the web must have."""

import json
from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection

from ledger.store.models import Correction, Event, GroupEntry, LinkKey, Night, Payment, Person
from ledger.store.schema import VERSION_TABLE, Schema

WEB_ROLE: Final = "tienlen_web"
"""The role that the migrations grant rights to: the web connects as this role, or as a member of it."""

_TABLES: Final = [
    str(table.__tablename__) for table in (Night, Event, Correction, Payment, Person, GroupEntry)
]
_GRANTED: Final = dict.fromkeys(_TABLES, "SELECT INSERT") | {
    VERSION_TABLE: "SELECT",
    LinkKey.__tablename__: "SELECT INSERT",
    "rate": "SELECT INSERT UPDATE DELETE",
}
"""Table -> the rights of the web's role, which has no others except updating `name` and `salt` of a person. `rate`
is unused: hosts once counted requests together in it, and migrations only add. A partition is reached by its table
alone."""

# What a partition has from its table is listed only where it differs: switched off, or an unfinished index.
_PARTS: Final = """
SELECT CASE WHEN c.relkind IN ('r', 'p') THEN 'table' WHEN c.relkind = 'v' THEN 'view' ELSE 'relation' END,
       c.relname::text,
       (SELECT string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
                                    CASE WHEN a.attnotnull THEN 'not null' END,
                                    pg_get_expr(d.adbin, d.adrelid)), ', ' ORDER BY a.attnum)
          FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
       || CASE c.relpersistence WHEN 'p' THEN '' ELSE ' not kept' END
       || CASE WHEN c.relrowsecurity THEN ' row security' ELSE '' END
       || coalesce(' partitioned by ' || pg_get_partkeydef(c.oid), '')
       || coalesce(' inherits ' || (SELECT string_agg(i.inhparent::regclass::text, ' ' ORDER BY i.inhseqno)
                                      FROM pg_inherits i WHERE i.inhrelid = c.oid), '')
       || coalesce(' inherited by ' || (SELECT string_agg(name, ' ' ORDER BY name)
                                          FROM pg_inherits i, text(i.inhrelid::regclass) AS name
                                         WHERE i.inhparent = c.oid), '')
       || coalesce(' ' || pg_get_expr(c.relpartbound, c.oid), '')
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind NOT IN ('i', 'I', 't')
UNION ALL
SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype NOT IN ('n', 't')
   AND conparentid = 0 AND conislocal
UNION ALL
SELECT 'index', i.indexrelid::regclass::text,
       pg_get_indexdef(i.indexrelid) || CASE WHEN i.indisvalid AND i.indisready THEN '' ELSE ' unfinished' END
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
 WHERE c.relnamespace = 'public'::regnamespace AND NOT (c.relispartition AND i.indisvalid AND i.indisready)
UNION ALL
SELECT 'trigger', t.tgrelid::regclass || '.' || t.tgname,
       'enabled ' || t.tgenabled::text || ' ' || pg_get_triggerdef(t.oid)
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
 WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
   AND NOT EXISTS (SELECT 1 FROM pg_trigger whole WHERE whole.oid = t.tgparentid AND whole.tgenabled = t.tgenabled)
UNION ALL
SELECT 'foreign keys of', t.tgrelid::regclass::text, 'switched off'
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
 WHERE c.relnamespace = 'public'::regnamespace AND t.tgisinternal AND t.tgenabled = 'D'
UNION ALL
SELECT 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid)
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')
UNION ALL
SELECT 'rule', r.ev_class::regclass || '.' || r.rulename, pg_get_ruledef(r.oid)
  FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE c.relnamespace = 'public'::regnamespace
"""

_WRONG_RIGHTS: Final = """
SELECT CASE WHEN found THEN 'may ' ELSE 'may not ' END || lower(p.name) || ' on ' || t.name
  FROM jsonb_each(%(granted)s::jsonb) AS t(name, granted),
       unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS p(name),
       has_table_privilege('public.' || t.name, p.name) AS found
 WHERE found <> t.granted ? p.name
UNION ALL
SELECT 'may update ' || a.attname || ' on ' || t.name
  FROM jsonb_each(%(granted)s::jsonb) AS t(name, granted)
  JOIN pg_attribute a ON a.attrelid = ('public.' || t.name)::regclass AND a.attnum > 0 AND NOT a.attisdropped
 WHERE has_column_privilege('public.' || t.name, a.attname, 'UPDATE') AND NOT t.granted ? 'UPDATE'
   AND (t.name, a.attname) NOT IN (('person', 'name'), ('person', 'salt'))
UNION ALL
SELECT 'may create in the schema' WHERE has_schema_privilege('public', 'CREATE')
UNION ALL
SELECT 'may create schemas' WHERE has_database_privilege(current_database(), 'CREATE')
UNION ALL
SELECT 'may create temporary tables, as everybody may until they are revoked (REVOKE TEMPORARY ON DATABASE '
       || quote_ident(current_database()) || ' FROM PUBLIC)'
 WHERE has_database_privilege(current_database(), 'TEMPORARY')
UNION ALL
SELECT 'may make roles, and join others' FROM pg_roles WHERE rolname = current_user AND rolcreaterole
UNION ALL
SELECT 'belongs to ' || rolname FROM pg_roles
 WHERE rolname IN ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')
   AND pg_has_role(oid, 'MEMBER')
UNION ALL
SELECT 'owns ' || c.relname FROM pg_class c
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND pg_has_role(c.relowner, 'MEMBER')
"""


def schema(connection: Connection) -> Schema:
    """The whole schema: tables with their columns, constraints, indexes, triggers, functions, rules."""
    return {(kind, name): " ".join(text.split()) for kind, name, text in connection.exec_driver_sql(_PARTS)}


def wrong_rights(connection: Connection) -> Iterator[str]:
    """The rights that the role of a connection has and must not have, or lacks, in words."""
    role, above_all = connection.exec_driver_sql(
        "SELECT rolname, rolsuper OR rolreplication FROM pg_roles WHERE rolname = current_user"
    ).one()
    if above_all:
        less = (
            f"ALTER ROLE {role} NOSUPERUSER NOREPLICATION" if role == WEB_ROLE else f"connect as {WEB_ROLE}"
        )
        yield f"the role {role} may do anything: {less}"
        return
    there = connection.exec_driver_sql(
        "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        " AND (relname = ANY (%(tables)s) OR relkind = 'r' AND relispartition)",
        {"tables": list(_GRANTED)},
    )
    granted = json.dumps({table: _GRANTED.get(table, "").split() for table in there.scalars()})
    for wrong in connection.exec_driver_sql(_WRONG_RIGHTS, {"granted": granted}).scalars():
        yield f"the role {role} {wrong}"
