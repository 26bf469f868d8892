-- The four logins of a deployment. A superuser, or a role that may create roles, runs this once in an empty database:
--   tidemark_owner      owns the schema and migrates it
--   tidemark_publisher  imports; sees no account and no key
--   tidemark_web        the API; reads content and what verifies a key, keeps follows, alerts and usage
--   tidemark_accounts   the account page and the operator's commands; accounts, keys, passwords, sessions
-- psql reads the passwords from files: the secrets of compose, or elsewhere -v secrets=FOLDER.
\set ON_ERROR_STOP on
\if :{?secrets}
\else
\set secrets /run/secrets
\endif
\set owner_password `cat :secrets/owner_password`
\set publisher_password `cat :secrets/publisher_password`
\set web_password `cat :secrets/web_password`
\set accounts_password `cat :secrets/accounts_password`
SET password_encryption = 'scram-sha-256';

CREATE ROLE tidemark_api NOLOGIN;
CREATE ROLE tidemark_import NOLOGIN;
CREATE ROLE tidemark_account NOLOGIN;
CREATE ROLE tidemark_owner LOGIN PASSWORD :'owner_password' 
  IN ROLE tidemark_api, tidemark_import, tidemark_account;
CREATE ROLE tidemark_publisher LOGIN PASSWORD :'publisher_password' IN ROLE tidemark_import;
CREATE ROLE tidemark_web LOGIN PASSWORD :'web_password' IN ROLE tidemark_api;
CREATE ROLE tidemark_accounts LOGIN PASSWORD :'accounts_password' IN ROLE tidemark_account;
-- The service sets these on each connection of its own. Behind a pooler, which shares its sessions, they come with the login.
ALTER ROLE tidemark_web SET jit = off;
ALTER ROLE tidemark_web SET statement_timeout = 2000;
ALTER ROLE tidemark_web SET idle_in_transaction_session_timeout = 7000;
ALTER ROLE tidemark_accounts SET jit = off;
ALTER ROLE tidemark_accounts SET statement_timeout = 2000;
ALTER ROLE tidemark_accounts SET idle_in_transaction_session_timeout = 7000;

SELECT format('ALTER DATABASE %I OWNER TO tidemark_owner', current_database()) \gexec
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database()) \gexec
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO tidemark_import', current_database()) \gexec
SELECT format('GRANT CONNECT ON DATABASE %I TO tidemark_api, tidemark_account', current_database()) \gexec
ALTER SCHEMA public OWNER TO tidemark_owner;
