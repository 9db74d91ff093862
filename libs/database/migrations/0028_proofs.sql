-- Whether events count only with a proof that the ad was handed out.
alter table workspaces add column require_proof boolean not null default false;
