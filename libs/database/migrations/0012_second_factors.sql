-- A second factor to sign in with, passkeys, and changes of address that wait for their confirmation. The first two are
-- better-auth's models under our names.

alter table people add column two_factor_enabled boolean not null default false;

create table two_factors (
  id text primary key,
  person_id text not null unique references people (id) on delete cascade,
  -- Both are encrypted with a key that is made from the installation's own.
  secret text not null,
  recovery_codes text not null,
  -- False until a first code has shown that the authenticator has the secret.
  verified boolean not null default false,
  failed_verifications integer not null default 0,
  locked_until timestamptz,
  -- The newest period of 30 seconds, counted from 1970, whose code was used. A code works once.
  last_step integer
);

create table passkeys (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now()
);
create index passkeys_person on passkeys (person_id);

create table email_changes (
  -- The newest request counts; it replaces the one before.
  person_id text primary key references people (id) on delete cascade,
  new_email text not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  expires_at timestamptz not null
);
