import { SLUG } from "#libs/domain/slug.ts";
import { countCharacters } from "#libs/domain/storable-text.ts";
import { isWebUrl } from "#libs/domain/web-url.ts";

/** What the workspace's card asks for, as typed. */
export interface WorkspaceDraft {
  readonly name: string;
  readonly slug: string;
  readonly websiteUrl: string;
  readonly currency: string;
}

export interface WorkspaceInput {
  readonly name: string;
  readonly slug: string;
  readonly websiteUrl: string | null;
  readonly currency: string;
}

/** Reads the card. A website without a scheme is one with https. */
export function checkWorkspace(
  draft: WorkspaceDraft,
): { readonly input: WorkspaceInput } | { readonly errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const name = draft.name.trim();
  const slug = draft.slug.trim();
  const websiteUrl = withScheme(draft.websiteUrl.trim());
  if (countCharacters(name) < 2 || countCharacters(name) > 80) errors.name = "Use 2 to 80 characters.";
  if (!SLUG.test(slug) || slug.length < 2 || slug.length > 60) {
    errors.slug = "Use 2 to 60 lower-case letters, digits and single hyphens.";
  }
  if (websiteUrl !== null && !isWebUrl(websiteUrl)) {
    errors.websiteUrl = "Enter an address such as https://example.com.";
  }
  if (Object.keys(errors).length > 0) return { errors };
  return { input: { name, slug, websiteUrl, currency: draft.currency } };
}

function withScheme(text: string): string | null {
  if (text === "") return null;
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
}
