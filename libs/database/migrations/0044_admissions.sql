-- What let a person sign up where not everybody may: the id of an invitation, or `set-up` for the first person. Each lets one
-- person in. The release before leaves it empty.
alter table people add column admitted_by text constraint people_admitted_by_key unique;
