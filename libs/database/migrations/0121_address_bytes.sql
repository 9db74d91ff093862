-- The bytes of an ad's address as a URL, in which each byte that is not allowed is written as three. Reckoned once, because the bound of
-- approved ads adds them up.
alter table ads add column address_bytes integer not null generated always as (
  octet_length(website_url) + 2 * octet_length(translate(website_url, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~:/?#[]@!$&()*+,;=%', ''))
) stored;
