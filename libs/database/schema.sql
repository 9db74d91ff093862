-- What the migrations add up to, read from the catalogs of a migrated database. Written by `npm run schema`, compared
-- by a test, never run: changes to it show in review what a migration does.

create type ad_status as enum ('Pending', 'Approved', 'Rejected');
create type billing_interval as enum ('Day', 'Week', 'Month', 'Year');
create type checkout_status as enum ('open', 'complete', 'expired');
create type favicon_outcome as enum ('found', 'none', 'unreachable');
create type field_type as enum ('Text', 'Textarea', 'Url', 'Email', 'Number', 'Switch', 'Select', 'Image', 'Date', 'Color');
create type invoice_status as enum ('draft', 'open', 'paid', 'uncollectible', 'void');
create type member_role as enum ('Owner', 'Manager', 'Viewer');
create type subscription_status as enum ('Trialing', 'Active', 'PastDue', 'Canceled', 'Unpaid', 'Incomplete', 'IncompleteExpired', 'Paused');
CREATE OR REPLACE FUNCTION public.next_image_due(images jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT min((jsonb_each.value ->> 'dueAt'::text)) AS min FROM jsonb_each(next_image_due.images) jsonb_each(key, value));
CREATE OR REPLACE FUNCTION public.note_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  unseen constant text[] := array['changed_at', 'updated_at', 'sync_version', 'claim', 'claimed_until'];
begin
  if to_jsonb(new) - unseen is distinct from to_jsonb(old) - unseen then
    new.changed_at := clock_timestamp();
  end if;
  return new;
end
$function$;
CREATE OR REPLACE FUNCTION public.upload_keys(VARIADIC texts text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE COST 100000
RETURN (SELECT COALESCE(array_agg(('ws_'::text || "left"(rest.rest, CASE WHEN (POSITION((substr(rest.rest, 64, 1)) IN ('abcdefghijklmnopqrstuvwxyz'::text)) > 0) THEN 64 ELSE 63 END))), '{}'::text[]) AS "coalesce" FROM string_to_table(array_to_string(upload_keys.texts, ' '::text), 'ws_'::text) rest(rest) WHERE ((substr(rest.rest, 27, 1) = '/'::text) AND (substr(rest.rest, 60, 1) = '.'::text)));

create table ad_alerts (
  ad_id text not null,
  workspace_id text not null,
  alert text not null,
  constraint ad_alerts_pkey PRIMARY KEY (ad_id),
  constraint ad_alerts_ad_id_fkey FOREIGN KEY (ad_id) REFERENCES ads(id) ON DELETE CASCADE,
  constraint ad_alerts_alert_check CHECK ((alert = ANY (ARRAY['unseen'::text, 'invalid'::text]))),
  constraint ad_alerts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX ad_alerts_workspace ON public.ad_alerts USING btree (workspace_id);

create table ads (
  id text not null,
  workspace_id text not null,
  subscription_id text not null,
  name text not null,
  website_url text not null,
  favicon_url text,
  meta jsonb not null default '{}'::jsonb,
  status ad_status not null default 'Pending'::ad_status,
  reviewed_at timestamp with time zone,
  rejection_note text,
  serving_since timestamp with time zone,
  serving_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  images_elsewhere jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  submitted_at timestamp with time zone,
  previous jsonb,
  changed_at timestamp with time zone not null default clock_timestamp(),
  address_bytes integer not null generated always as ((octet_length(website_url) + (2 * octet_length(translate(website_url, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~:/?#[]@!$&()*+,;=%'::text, ''::text))))) stored,
  constraint ads_pkey PRIMARY KEY (id),
  constraint ads_meta_check CHECK ((jsonb_typeof(meta) = 'object'::text)),
  constraint ads_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 80))),
  constraint ads_subscription_id_key UNIQUE (subscription_id),
  constraint ads_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint ads_workspace_id_subscription_id_fkey FOREIGN KEY (workspace_id, subscription_id) REFERENCES subscriptions(workspace_id, id)
);
CREATE INDEX ads_by_id ON public.ads USING btree (workspace_id, id);
CREATE INDEX ads_by_subscription ON public.ads USING btree (workspace_id, subscription_id);
CREATE INDEX ads_changed ON public.ads USING btree (workspace_id, changed_at);
CREATE INDEX ads_list ON public.ads USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX ads_list_by_status ON public.ads USING btree (workspace_id, status, created_at DESC, id DESC);
CREATE INDEX ads_next_image ON public.ads USING btree (workspace_id, next_image_due(images_elsewhere)) WHERE (images_elsewhere <> '{}'::jsonb);
CREATE INDEX ads_uploads ON public.ads USING gin (upload_keys(VARIADIC ARRAY[(meta)::text, (images_elsewhere)::text, (previous)::text, favicon_url, website_url]));
CREATE TRIGGER note_change BEFORE UPDATE ON public.ads FOR EACH ROW EXECUTE FUNCTION note_change();

create table advertiser_links (
  token_hash bytea not null,
  workspace_id text not null,
  advertiser_id text not null,
  expires_at timestamp with time zone not null,
  constraint advertiser_links_pkey PRIMARY KEY (token_hash),
  constraint advertiser_links_workspace_id_advertiser_id_fkey FOREIGN KEY (workspace_id, advertiser_id) REFERENCES advertisers(workspace_id, id) ON DELETE CASCADE,
  constraint advertiser_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX advertiser_links_advertiser ON public.advertiser_links USING btree (workspace_id, advertiser_id);
CREATE INDEX advertiser_links_expired ON public.advertiser_links USING btree (expires_at);

create table advertisers (
  id text not null,
  workspace_id text not null,
  name text not null,
  email text,
  provider_customer_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  erased_at timestamp with time zone,
  changed_at timestamp with time zone not null default clock_timestamp(),
  report_email text not null default 'month'::text,
  constraint advertisers_pkey PRIMARY KEY (id),
  constraint advertisers_email_check CHECK ((email = lower(email))),
  constraint advertisers_report_email_check CHECK ((report_email = ANY (ARRAY['week'::text, 'month'::text]))),
  constraint advertisers_workspace_id_email_key UNIQUE (workspace_id, email),
  constraint advertisers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint advertisers_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX advertisers_changed ON public.advertisers USING btree (workspace_id, changed_at);
CREATE INDEX advertisers_list ON public.advertisers USING btree (workspace_id, created_at DESC, id DESC);
CREATE TRIGGER note_change BEFORE UPDATE ON public.advertisers FOR EACH ROW EXECUTE FUNCTION note_change();

create table api_keys (
  id text not null,
  workspace_id text not null,
  member_id text not null,
  name text not null,
  prefix text not null,
  hash bytea not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  kind text not null default 'api'::text,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_check CHECK ((octet_length(hash) = 32)),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['api'::text, 'tracking'::text]))),
  constraint api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint api_keys_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX api_keys_member ON public.api_keys USING btree (member_id);
CREATE INDEX api_keys_workspace ON public.api_keys USING btree (workspace_id, id);

create table audit_log (
  id text not null,
  workspace_id text,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  action text not null,
  resource_kind text not null,
  resource_id text not null,
  before jsonb,
  after jsonb,
  occurred_at timestamp with time zone not null default now(),
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['person'::text, 'key'::text, 'advertiser'::text, 'processor'::text, 'operator'::text]))),
  constraint audit_log_workspace_check CHECK (((workspace_id IS NOT NULL) OR (actor_kind = 'operator'::text))),
  constraint audit_log_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_id) WHERE (actor_kind = ANY (ARRAY['person'::text, 'key'::text]));
CREATE INDEX audit_log_addresses ON public.audit_log USING gin ((ARRAY[(before ->> 'email'::text), (after ->> 'email'::text), (before ->> 'contactEmail'::text), (after ->> 'contactEmail'::text)])) WHERE (COALESCE((before ->> 'email'::text), (after ->> 'email'::text), (before ->> 'contactEmail'::text), (after ->> 'contactEmail'::text)) IS NOT NULL);
CREATE INDEX audit_log_age ON public.audit_log USING btree (occurred_at);
CREATE INDEX audit_log_list ON public.audit_log USING btree (workspace_id, id DESC);
CREATE INDEX audit_log_operator ON public.audit_log USING btree (id DESC) WHERE (workspace_id IS NULL);
CREATE INDEX audit_log_people ON public.audit_log USING btree (resource_id) WHERE (resource_kind = ANY (ARRAY['member'::text, 'api-key'::text, 'tracking-key'::text]));

create table charges (
  provider_charge_id text not null,
  workspace_id text not null,
  invoice_id text not null,
  amount_refunded bigint not null,
  disputed boolean not null,
  sync_version bigint not null default 0,
  updated_at timestamp with time zone not null default now(),
  dispute_amount bigint,
  dispute_status text,
  dispute_due_at timestamp with time zone,
  changed_at timestamp with time zone not null default clock_timestamp(),
  constraint charges_pkey PRIMARY KEY (provider_charge_id),
  constraint charges_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint charges_workspace_id_invoice_id_fkey FOREIGN KEY (workspace_id, invoice_id) REFERENCES invoices(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX charges_changed ON public.charges USING btree (workspace_id, changed_at);
CREATE INDEX charges_invoice ON public.charges USING btree (workspace_id, invoice_id);
CREATE INDEX charges_open_disputes ON public.charges USING btree (updated_at) WHERE (dispute_status = ANY (ARRAY['inquiry'::text, 'needs_response'::text, 'under_review'::text]));
CREATE TRIGGER note_change BEFORE UPDATE ON public.charges FOR EACH ROW EXECUTE FUNCTION note_change();

create table checkout_sessions (
  id text not null,
  workspace_id text not null,
  price_id text not null,
  status checkout_status not null default 'open'::checkout_status,
  subscription_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  provider_account text,
  remind_at timestamp with time zone,
  letters_withheld boolean not null default false,
  constraint checkout_sessions_pkey PRIMARY KEY (id),
  constraint checkout_sessions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint checkout_sessions_workspace_id_price_id_fkey FOREIGN KEY (workspace_id, price_id) REFERENCES prices(workspace_id, id),
  constraint checkout_sessions_workspace_id_subscription_id_fkey FOREIGN KEY (workspace_id, subscription_id) REFERENCES subscriptions(workspace_id, id)
);
CREATE INDEX checkout_sessions_expired ON public.checkout_sessions USING btree (updated_at) WHERE (status = 'expired'::checkout_status);
CREATE INDEX checkout_sessions_open ON public.checkout_sessions USING btree (created_at, id) WHERE (status = 'open'::checkout_status);
CREATE INDEX checkout_sessions_price ON public.checkout_sessions USING btree (price_id);
CREATE INDEX checkout_sessions_remind ON public.checkout_sessions USING btree (remind_at) WHERE (remind_at IS NOT NULL);
CREATE INDEX checkout_sessions_subscription ON public.checkout_sessions USING btree (subscription_id);
CREATE INDEX checkout_sessions_workspace ON public.checkout_sessions USING btree (workspace_id);

create table connected_accounts (
  workspace_id text not null,
  account_id text not null,
  charges_enabled boolean not null default false,
  payouts_enabled boolean not null default false,
  details_submitted boolean not null default false,
  sync_version bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  gone_since timestamp with time zone,
  constraint connected_accounts_pkey PRIMARY KEY (workspace_id),
  constraint connected_accounts_account_id_key UNIQUE (account_id),
  constraint connected_accounts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table corrections (
  id text not null,
  workspace_id text not null,
  ad_id text not null,
  first_day text not null,
  last_day text not null,
  reason text not null,
  is_proposal boolean not null default false,
  status text not null,
  created_at timestamp with time zone not null default now(),
  constraint corrections_pkey PRIMARY KEY (id),
  constraint corrections_ad_id_fkey FOREIGN KEY (ad_id) REFERENCES ads(id) ON DELETE CASCADE,
  constraint corrections_check CHECK (((last_day ~ '^\d{4}-\d{2}-\d{2}$'::text) AND (last_day >= first_day))),
  constraint corrections_first_day_check CHECK ((first_day ~ '^\d{4}-\d{2}-\d{2}$'::text)),
  constraint corrections_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint corrections_status_check CHECK ((status = ANY (ARRAY['Proposed'::text, 'Applied'::text, 'Dismissed'::text]))),
  constraint corrections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX corrections_applied ON public.corrections USING btree (workspace_id) WHERE (status = 'Applied'::text);
CREATE INDEX corrections_of_ad ON public.corrections USING btree (ad_id, created_at DESC);
CREATE UNIQUE INDEX corrections_proposed ON public.corrections USING btree (ad_id, first_day) WHERE is_proposal;

create table credentials (
  id text not null,
  person_id text not null,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint credentials_pkey PRIMARY KEY (id),
  constraint credentials_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint credentials_provider_id_account_id_key UNIQUE (provider_id, account_id)
);
CREATE INDEX credentials_person ON public.credentials USING btree (person_id);

create table digest_lines (
  id bigint not null generated always as identity,
  workspace_id text not null,
  kind text not null,
  line text not null,
  created_at timestamp with time zone not null default now(),
  constraint digest_lines_pkey PRIMARY KEY (id),
  constraint digest_lines_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX digest_lines_workspace ON public.digest_lines USING btree (workspace_id, kind);

create table dropped_mails (
  id bigint not null generated always as identity,
  workspace_id text not null,
  recipient text not null,
  kind text not null,
  reason text not null,
  dropped_at timestamp with time zone not null default now(),
  constraint dropped_mails_pkey PRIMARY KEY (id),
  constraint dropped_mails_reason_check CHECK ((reason = ANY (ARRAY['limit'::text, 'refused'::text, 'unsent'::text]))),
  constraint dropped_mails_recipient_check CHECK ((recipient = ANY (ARRAY['publisher'::text, 'advertiser'::text]))),
  constraint dropped_mails_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX dropped_mails_workspace ON public.dropped_mails USING btree (workspace_id, dropped_at);

create table email_changes (
  person_id text not null,
  new_email text not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint email_changes_pkey PRIMARY KEY (person_id),
  constraint email_changes_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint email_changes_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

create table erased_workspaces (
  id text not null,
  erased_at timestamp with time zone not null,
  refunds boolean,
  constraint erased_workspaces_pkey PRIMARY KEY (id)
);

create table favicon_lookups (
  page text not null,
  host text not null,
  outcome favicon_outcome not null,
  content_type text,
  bytes bytea,
  asked_at timestamp with time zone not null,
  constraint favicon_lookups_pkey PRIMARY KEY (page),
  constraint favicon_lookups_bytes_check CHECK ((octet_length(bytes) <= 262144)),
  constraint favicon_lookups_check CHECK (((outcome = 'found'::favicon_outcome) = ((content_type IS NOT NULL) AND (bytes IS NOT NULL)))),
  constraint favicon_lookups_page_check CHECK ((char_length(page) <= 1024))
);
CREATE INDEX favicon_lookups_age ON public.favicon_lookups USING btree (asked_at);
CREATE INDEX favicon_lookups_host ON public.favicon_lookups USING btree (host, asked_at);

create table fields (
  id text not null,
  workspace_id text not null,
  key text not null,
  name text not null,
  type field_type not null,
  description text not null default ''::text,
  "default" text not null default ''::text,
  placeholder text not null default ''::text,
  is_required boolean not null default false,
  is_publisher_only boolean not null default false,
  "order" bigint not null,
  options jsonb not null default '[]'::jsonb,
  max_length bigint,
  min double precision,
  max double precision,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  image jsonb,
  constraint fields_pkey PRIMARY KEY (id),
  constraint fields_check CHECK (((min IS NULL) OR (max IS NULL) OR (min <= max))),
  constraint fields_key UNIQUE (workspace_id, key),
  constraint fields_key_check CHECK ((key ~ '^[a-z][a-z0-9_]{0,39}$'::text)),
  constraint fields_max_length_check CHECK ((max_length >= 1)),
  constraint fields_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint fields_options_check CHECK ((jsonb_typeof(options) = 'array'::text)),
  constraint fields_order_check CHECK (("order" >= 0)),
  constraint fields_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint fields_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX fields_list ON public.fields USING btree (workspace_id, "order", id);

create table idempotency_keys (
  caller text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  body text,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (caller, key),
  constraint idempotency_keys_request_hash_check CHECK ((octet_length(request_hash) = 32))
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);

create table installation (
  is_only boolean not null default true,
  id text not null,
  checkpoint bigint not null,
  log_end bigint not null,
  known_damage jsonb not null default '[]'::jsonb,
  noted_at timestamp with time zone not null default now(),
  constraint installation_pkey PRIMARY KEY (is_only),
  constraint installation_checkpoint_check CHECK ((checkpoint > 0)),
  constraint installation_id_check CHECK (((char_length(id) >= 1) AND (char_length(id) <= 64))),
  constraint installation_is_only_check CHECK (is_only),
  constraint installation_known_damage_check CHECK ((jsonb_typeof(known_damage) = 'array'::text)),
  constraint installation_log_end_check CHECK ((log_end >= 0))
);

create table invitations (
  id text not null,
  workspace_id text not null,
  email text not null,
  role member_role not null,
  token_hash bytea not null,
  invited_by text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_email_check CHECK ((email = lower(email))),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES people(id) ON DELETE SET NULL,
  constraint invitations_token_hash_check CHECK ((octet_length(token_hash) = 32)),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_workspace_id_email_key UNIQUE (workspace_id, email),
  constraint invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);

create table invoices (
  id text not null,
  workspace_id text not null,
  advertiser_id text not null,
  subscription_id text not null,
  provider_invoice_id text not null,
  number text,
  status invoice_status not null,
  currency text not null,
  total bigint not null,
  amount_paid bigint not null,
  amount_due bigint not null,
  issued_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  hosted_url text,
  pdf_url text,
  sync_version bigint not null default 0,
  updated_at timestamp with time zone not null default now(),
  changed_at timestamp with time zone not null default clock_timestamp(),
  renewal_failed_at timestamp with time zone,
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
  constraint invoices_provider_invoice_id_key UNIQUE (provider_invoice_id),
  constraint invoices_workspace_id_advertiser_id_fkey FOREIGN KEY (workspace_id, advertiser_id) REFERENCES advertisers(workspace_id, id),
  constraint invoices_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint invoices_workspace_id_id_key UNIQUE (workspace_id, id),
  constraint invoices_workspace_id_subscription_id_fkey FOREIGN KEY (workspace_id, subscription_id) REFERENCES subscriptions(workspace_id, id)
);
CREATE INDEX invoices_changed ON public.invoices USING btree (workspace_id, changed_at);
CREATE INDEX invoices_list ON public.invoices USING btree (workspace_id, issued_at DESC, id DESC);
CREATE INDEX invoices_list_by_advertiser ON public.invoices USING btree (workspace_id, advertiser_id, issued_at DESC, id DESC);
CREATE INDEX invoices_list_by_status ON public.invoices USING btree (workspace_id, status, issued_at DESC, id DESC);
CREATE INDEX invoices_list_by_subscription ON public.invoices USING btree (workspace_id, subscription_id, issued_at DESC, id DESC);
CREATE INDEX invoices_owed ON public.invoices USING btree (workspace_id, subscription_id) WHERE ((status = 'open'::invoice_status) AND (renewal_failed_at IS NOT NULL));
CREATE INDEX invoices_paid ON public.invoices USING btree (workspace_id, paid_at) WHERE (status = 'paid'::invoice_status);
CREATE TRIGGER note_change BEFORE UPDATE ON public.invoices FOR EACH ROW EXECUTE FUNCTION note_change();

create table ledger_fills (
  account text not null,
  filled_at timestamp with time zone not null default now(),
  reversals_filled_at timestamp with time zone,
  compared_at timestamp with time zone,
  constraint ledger_fills_pkey PRIMARY KEY (account)
);

create table members (
  id text not null,
  workspace_id text not null,
  person_id text not null,
  role member_role not null,
  created_at timestamp with time zone not null default now(),
  report_emails text[] not null default '{}'::text[],
  constraint members_pkey PRIMARY KEY (id),
  constraint members_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint members_report_emails_check CHECK ((report_emails <@ ARRAY['week'::text, 'month'::text])),
  constraint members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint members_workspace_id_id_key UNIQUE (workspace_id, id),
  constraint members_workspace_id_person_id_key UNIQUE (workspace_id, person_id)
);
CREATE INDEX members_person ON public.members USING btree (person_id);

create table monthly_reports (
  advertiser_id text,
  month text not null,
  workspace_id text not null,
  queued_at timestamp with time zone not null default now(),
  id bigint not null generated always as identity,
  member_id text,
  constraint monthly_reports_pkey PRIMARY KEY (id),
  constraint monthly_reports_advertiser_key UNIQUE (advertiser_id, month),
  constraint monthly_reports_member_key UNIQUE (member_id, month),
  constraint monthly_reports_month_check CHECK ((month ~ '^\d{4}-(0[1-9]|1[0-2])(-\d{2})?$'::text)),
  constraint monthly_reports_reader_check CHECK ((num_nonnulls(advertiser_id, member_id) = 1)),
  constraint monthly_reports_workspace_id_advertiser_id_fkey FOREIGN KEY (workspace_id, advertiser_id) REFERENCES advertisers(workspace_id, id) ON DELETE CASCADE,
  constraint monthly_reports_workspace_id_member_id_fkey FOREIGN KEY (workspace_id, member_id) REFERENCES members(workspace_id, id) ON DELETE CASCADE
);

create table passkeys (
  id text not null,
  person_id text not null,
  name text,
  public_key text not null,
  credential_id text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamp with time zone not null default now(),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_person ON public.passkeys USING btree (person_id);

create table people (
  id text not null,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  suspended_at timestamp with time zone,
  two_factor_enabled boolean not null default false,
  admitted_by text,
  constraint people_pkey PRIMARY KEY (id),
  constraint people_admitted_by_key UNIQUE (admitted_by),
  constraint people_email_key UNIQUE (email)
);

create table prices (
  id text not null,
  workspace_id text not null,
  tier_id text not null,
  "interval" billing_interval not null,
  interval_count integer not null,
  amount bigint not null,
  currency text not null,
  is_active boolean not null default true,
  provider_price_id text,
  created_at timestamp with time zone not null default now(),
  provider_active boolean not null default true,
  provider_account text,
  constraint prices_pkey PRIMARY KEY (id),
  constraint prices_amount_check CHECK (((amount >= 0) AND (amount <= '9007199254740991'::bigint))),
  constraint prices_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
  constraint prices_interval_count_check CHECK ((interval_count >= 1)),
  constraint prices_workspace_id_id_key UNIQUE (workspace_id, id),
  constraint prices_workspace_id_tier_id_fkey FOREIGN KEY (workspace_id, tier_id) REFERENCES tiers(workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX prices_active_shape ON public.prices USING btree (tier_id, "interval", interval_count, currency) WHERE is_active;
CREATE INDEX prices_tier ON public.prices USING btree (tier_id, id);
CREATE INDEX prices_to_archive ON public.prices USING btree (id) WHERE ((provider_price_id IS NOT NULL) AND (is_active <> provider_active));

create table reconciliations (
  id text not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  report jsonb,
  created_at timestamp with time zone not null default now(),
  constraint reconciliations_pkey PRIMARY KEY (id)
);
CREATE INDEX reconciliations_newest ON public.reconciliations USING btree (created_at DESC);

create table refunds (
  id text not null,
  workspace_id text not null,
  provider_refund_id text not null,
  provider_charge_id text not null,
  amount bigint not null,
  currency text not null,
  reason text,
  refunded_at timestamp with time zone not null,
  note text,
  audited_at timestamp with time zone,
  constraint refunds_pkey PRIMARY KEY (id),
  constraint refunds_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
  constraint refunds_provider_charge_id_fkey FOREIGN KEY (provider_charge_id) REFERENCES charges(provider_charge_id) ON DELETE CASCADE,
  constraint refunds_provider_refund_id_key UNIQUE (provider_refund_id),
  constraint refunds_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX refunds_charge ON public.refunds USING btree (provider_charge_id);
CREATE INDEX refunds_list ON public.refunds USING btree (workspace_id, refunded_at DESC, id DESC);

create table report_links (
  ad_id text not null,
  workspace_id text not null,
  salt text not null,
  created_at timestamp with time zone not null default now(),
  constraint report_links_pkey PRIMARY KEY (ad_id),
  constraint report_links_ad_id_fkey FOREIGN KEY (ad_id) REFERENCES ads(id) ON DELETE CASCADE,
  constraint report_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX report_links_workspace ON public.report_links USING btree (workspace_id);

create table report_unsubscribes (
  advertiser_id text not null,
  workspace_id text not null,
  created_at timestamp with time zone not null default now(),
  by_link boolean not null default false,
  constraint report_unsubscribes_pkey PRIMARY KEY (advertiser_id),
  constraint report_unsubscribes_workspace_id_advertiser_id_fkey FOREIGN KEY (workspace_id, advertiser_id) REFERENCES advertisers(workspace_id, id) ON DELETE CASCADE
);

create table retained_invoices (
  id text not null,
  former_workspace_id text not null,
  provider_account text,
  provider_invoice_id text not null,
  number text,
  status invoice_status not null,
  currency text not null,
  total bigint not null,
  amount_paid bigint not null,
  amount_due bigint not null,
  amount_refunded bigint not null,
  disputed boolean not null,
  issued_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  constraint retained_invoices_pkey PRIMARY KEY (id)
);
CREATE INDEX retained_invoices_age ON public.retained_invoices USING btree (issued_at);

create table revisions (
  ad_id text not null,
  workspace_id text not null,
  name text not null,
  website_url text not null,
  meta jsonb not null default '{}'::jsonb,
  note text,
  submitted_at timestamp with time zone not null default now(),
  images_elsewhere jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  previous jsonb,
  constraint revisions_pkey PRIMARY KEY (ad_id),
  constraint revisions_ad_id_fkey FOREIGN KEY (ad_id) REFERENCES ads(id) ON DELETE CASCADE,
  constraint revisions_meta_check CHECK ((jsonb_typeof(meta) = 'object'::text)),
  constraint revisions_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 80))),
  constraint revisions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX revisions_by_id ON public.revisions USING btree (workspace_id, ad_id);
CREATE INDEX revisions_list ON public.revisions USING btree (workspace_id, submitted_at DESC, ad_id DESC);
CREATE INDEX revisions_next_image ON public.revisions USING btree (workspace_id, next_image_due(images_elsewhere)) WHERE (images_elsewhere <> '{}'::jsonb);
CREATE INDEX revisions_uploads ON public.revisions USING gin (upload_keys(VARIADIC ARRAY[(meta)::text, (images_elsewhere)::text, (previous)::text, website_url]));

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table sessions (
  id text not null,
  person_id text not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint sessions_token_key UNIQUE (token)
);
CREATE INDEX sessions_person ON public.sessions USING btree (person_id);

create table subscriptions (
  id text not null,
  workspace_id text not null,
  advertiser_id text not null,
  tier_id text not null,
  price_id text not null,
  provider_subscription_id text not null,
  status subscription_status not null,
  cancel_at_period_end boolean not null default false,
  cancel_at timestamp with time zone,
  canceled_at timestamp with time zone,
  cancellation_reason text,
  cancellation_feedback text,
  cancellation_comment text,
  current_period_start timestamp with time zone,
  current_period_end timestamp with time zone,
  trial_end timestamp with time zone,
  paid_amount bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  sync_version bigint not null default 0,
  claim text,
  claimed_until timestamp with time zone,
  provider_account text,
  charge_at text not null default 'purchase'::text,
  awaits_approval boolean not null default false,
  renewal_failed_at timestamp with time zone,
  tells_grace_end boolean not null default false,
  stop_reason text,
  stopped_at timestamp with time zone,
  stop_bill text,
  is_period_void boolean not null default false,
  cleared_at timestamp with time zone,
  refund_due_since timestamp with time zone,
  free_until timestamp with time zone,
  client_reference text,
  metadata jsonb not null default '{}'::jsonb,
  changed_at timestamp with time zone not null default clock_timestamp(),
  ended_at timestamp with time zone,
  is_collected boolean not null default true,
  owed_invoice text,
  missing_since timestamp with time zone,
  constraint subscriptions_pkey PRIMARY KEY (id),
  constraint subscriptions_charge_at_check CHECK ((charge_at = ANY (ARRAY['purchase'::text, 'approval'::text]))),
  constraint subscriptions_check CHECK (((claim IS NULL) = (claimed_until IS NULL))),
  constraint subscriptions_provider_subscription_id_key UNIQUE (provider_subscription_id),
  constraint subscriptions_stop_bill_check CHECK ((stop_bill = ANY (ARRAY['paid'::text, 'open'::text, 'collected'::text, 'void'::text]))),
  constraint subscriptions_stop_reason_check CHECK ((stop_reason = ANY (ARRAY['paused'::text, 'resumed'::text, 'unpaid'::text]))),
  constraint subscriptions_workspace_id_advertiser_id_fkey FOREIGN KEY (workspace_id, advertiser_id) REFERENCES advertisers(workspace_id, id),
  constraint subscriptions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint subscriptions_workspace_id_id_key UNIQUE (workspace_id, id),
  constraint subscriptions_workspace_id_price_id_fkey FOREIGN KEY (workspace_id, price_id) REFERENCES prices(workspace_id, id),
  constraint subscriptions_workspace_id_tier_id_fkey FOREIGN KEY (workspace_id, tier_id) REFERENCES tiers(workspace_id, id)
);
CREATE INDEX subscriptions_advertiser ON public.subscriptions USING btree (workspace_id, advertiser_id);
CREATE INDEX subscriptions_changed ON public.subscriptions USING btree (workspace_id, changed_at);
CREATE INDEX subscriptions_grace_end ON public.subscriptions USING btree (id) WHERE tells_grace_end;
CREATE INDEX subscriptions_list ON public.subscriptions USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX subscriptions_live ON public.subscriptions USING btree (id) WHERE (status <> ALL (ARRAY['Canceled'::subscription_status, 'IncompleteExpired'::subscription_status]));
CREATE INDEX subscriptions_price ON public.subscriptions USING btree (price_id);
CREATE INDEX subscriptions_reference ON public.subscriptions USING btree (workspace_id, client_reference) WHERE (client_reference IS NOT NULL);
CREATE INDEX subscriptions_refund_due ON public.subscriptions USING btree (id) WHERE (refund_due_since IS NOT NULL);
CREATE INDEX subscriptions_tier ON public.subscriptions USING btree (tier_id);
CREATE INDEX subscriptions_unpaid ON public.subscriptions USING btree (workspace_id, id) WHERE (renewal_failed_at IS NOT NULL);
CREATE TRIGGER note_change BEFORE UPDATE ON public.subscriptions FOR EACH ROW EXECUTE FUNCTION note_change();

create table tiers (
  id text not null,
  workspace_id text not null,
  name text not null,
  description text not null default ''::text,
  weight double precision not null,
  "order" bigint not null,
  is_active boolean not null default true,
  features jsonb not null default '[]'::jsonb,
  provider_product_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  provider_active boolean not null default true,
  provider_account text,
  constraint tiers_pkey PRIMARY KEY (id),
  constraint tiers_features_check CHECK ((jsonb_typeof(features) = 'array'::text)),
  constraint tiers_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 80))),
  constraint tiers_order_check CHECK (("order" >= 0)),
  constraint tiers_weight_check CHECK (((weight > (0)::double precision) AND (weight < 'Infinity'::double precision))),
  constraint tiers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint tiers_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX tiers_list ON public.tiers USING btree (workspace_id, "order", id);
CREATE INDEX tiers_to_archive ON public.tiers USING btree (id) WHERE ((provider_product_id IS NOT NULL) AND (is_active <> provider_active));

create table two_factors (
  id text not null,
  person_id text not null,
  secret text not null,
  recovery_codes text not null,
  verified boolean not null default false,
  failed_verifications integer not null default 0,
  locked_until timestamp with time zone,
  last_step integer,
  constraint two_factors_pkey PRIMARY KEY (id),
  constraint two_factors_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE,
  constraint two_factors_person_id_key UNIQUE (person_id)
);

create table uploads (
  key text not null,
  workspace_id text not null,
  granted_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  bytes integer not null default 0,
  arrived_at timestamp with time zone,
  checkout_session_id text,
  measured jsonb,
  is_free boolean not null default false,
  constraint uploads_pkey PRIMARY KEY (key),
  constraint uploads_bytes_check CHECK ((bytes >= 0))
);
CREATE INDEX uploads_checkout ON public.uploads USING btree (checkout_session_id) WHERE (checkout_session_id IS NOT NULL);
CREATE INDEX uploads_due ON public.uploads USING btree (due_at);
CREATE INDEX uploads_room ON public.uploads USING btree (workspace_id, is_free, bytes);
CREATE INDEX uploads_unseen ON public.uploads USING btree (granted_at) WHERE (arrived_at IS NULL);

create table verifications (
  id text not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint verifications_pkey PRIMARY KEY (id)
);
CREATE INDEX verifications_identifier ON public.verifications USING btree (identifier);

create table webhook_events (
  id text not null,
  type text not null,
  subject jsonb not null,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  applied_at timestamp with time zone,
  provider_account text,
  constraint webhook_events_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_events_applied ON public.webhook_events USING btree (applied_at) WHERE (applied_at IS NOT NULL);
CREATE INDEX webhook_events_waiting ON public.webhook_events USING btree (received_at) WHERE (applied_at IS NULL);

create table workspaces (
  id text not null,
  name text not null,
  slug text not null,
  website_url text,
  favicon_url text,
  currency text not null,
  version bigint not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  audience_public boolean not null default false,
  impressions_per_minute integer,
  clicks_per_minute integer,
  muted_mails text[] not null default '{}'::text[],
  suspended_at timestamp with time zone,
  erasing_since timestamp with time zone,
  charge_at text not null default 'purchase'::text,
  renewal_grace_days integer not null default 3,
  contact_email text,
  site_host text,
  site_seen_at timestamp with time zone,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  require_proof boolean not null default false,
  erasing_refunds boolean,
  media_kit jsonb not null default '{"faq": [], "topics": [], "logoUrl": null, "audience": null, "description": null}'::jsonb,
  saved_replies text[] not null default '{}'::text[],
  closed_at timestamp with time zone,
  erasing_owner text,
  grace_changes jsonb not null default '[]'::jsonb,
  time_zone text,
  record_pages boolean not null default true,
  count_visitors boolean not null default true,
  advertiser_splits text[] not null default '{country,device}'::text[],
  alert_hours integer not null default 24,
  alert_invalid_percent integer not null default 50,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_advertiser_splits_check CHECK ((advertiser_splits <@ ARRAY['placement'::text, 'path'::text, 'referrer'::text, 'country'::text, 'device'::text, 'browser'::text])),
  constraint workspaces_alert_hours_check CHECK (((alert_hours >= 1) AND (alert_hours <= 168))),
  constraint workspaces_alert_invalid_percent_check CHECK (((alert_invalid_percent >= 1) AND (alert_invalid_percent <= 100))),
  constraint workspaces_charge_at_check CHECK ((charge_at = ANY (ARRAY['purchase'::text, 'approval'::text]))),
  constraint workspaces_clicks_per_minute_check CHECK (((clicks_per_minute >= 0) AND (clicks_per_minute <= 100000))),
  constraint workspaces_currency_check CHECK ((currency ~ '^[a-z]{3}$'::text)),
  constraint workspaces_impressions_per_minute_check CHECK (((impressions_per_minute >= 0) AND (impressions_per_minute <= 100000))),
  constraint workspaces_muted_mails_check CHECK ((muted_mails <@ ARRAY['purchase'::text, 'adWaiting'::text, 'paymentFailed'::text, 'subscriptionCanceled'::text, 'adAlert'::text, 'monthlyReports'::text])),
  constraint workspaces_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 80))),
  constraint workspaces_renewal_grace_days_check CHECK (((renewal_grace_days >= 0) AND (renewal_grace_days <= 14))),
  constraint workspaces_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (char_length(slug) <= 60))),
  constraint workspaces_slug_key UNIQUE (slug)
);
CREATE INDEX workspaces_erasing ON public.workspaces USING btree (id) WHERE (erasing_since IS NOT NULL);
