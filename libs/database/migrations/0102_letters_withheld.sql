-- A free purchase for which its buyer gets no letters: so many were made from its network that they may name anybody's address.
alter table checkout_sessions add column letters_withheld boolean not null default false;
