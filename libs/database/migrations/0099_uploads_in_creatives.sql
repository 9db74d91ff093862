-- The uploads that texts name. It reads the texts, which may be long: its cost says that an index is to be used instead.
create function upload_keys(variadic texts text[]) returns text[]
  language sql immutable parallel safe cost 100000
  return (
    select coalesce(array_agg(distinct found[1]), '{}')
    from regexp_matches(array_to_string(texts, ' '), '(ws_[0-9a-z]{26}/[0-9a-f]{32}\.[a-z]{3,4})', 'g') as found
  );

-- Which uploads are unused is read off these, and not from all creatives of a workspace: strangers make them.
create index ads_uploads on ads
  using gin (upload_keys(meta::text, images_elsewhere::text, previous::text, favicon_url, website_url));
create index revisions_uploads on revisions
  using gin (upload_keys(meta::text, images_elsewhere::text, previous::text, website_url));
