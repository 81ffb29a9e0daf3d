-- Runs once, when the container of the server starts with an empty volume: creates the roles with the passwords of the
-- secrets, and the database. The owner migrates and grants, so no service connects as a superuser.
\set owner_password `cat /run/secrets/owner_password`
\set loader_password `cat /run/secrets/loader_password`
\set analyst_password `cat /run/secrets/analyst_password`
\set monitor_password `cat /run/secrets/monitor_password`
create role gamebase_owner login password :'owner_password';
create role gamebase_loader login password :'loader_password';
create role gamebase_analyst login password :'analyst_password';
create role gamebase_monitor login password :'monitor_password';
create role gamebase_eraser;
create database gamebase owner gamebase_owner encoding 'UTF8' template template0;
