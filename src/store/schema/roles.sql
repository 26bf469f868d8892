-- The roles of the service, without login: the logins of a deployment are members of them.
--   tidemark_api      reads content and what verifies a key; keeps follows, alerts and usage
--   tidemark_import   writes content; sees no account
--   tidemark_account  accounts, keys, passwords, sessions, notifications; sees no content
-- Roles belong to the whole server, so another database or the operator may have created them.

DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['tidemark_api', 'tidemark_import', 'tidemark_account'] LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
    IF NOT pg_has_role(current_user, wanted, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO %I', wanted, current_user);
    END IF;
  END LOOP;
END $$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO tidemark_api, tidemark_import, tidemark_account;
