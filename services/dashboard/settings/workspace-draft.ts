import { type Workspace, workspaceValues } from "#libs/contract/workspaces.ts";
import { checkInput } from "../components/forms/check-input.ts";
import { readWebsite } from "../components/web-address.ts";

export function draftOfWorkspace({ name, slug, websiteUrl, currency }: Workspace) {
  return { name, slug, websiteUrl: websiteUrl ?? "", currency };
}

/** Checks the values and converts them to what the API takes. A website without a scheme gets https. */
export function checkWorkspace(draft: ReturnType<typeof draftOfWorkspace>) {
  const website = draft.websiteUrl.trim();
  const websiteUrl = website === "" ? null : (readWebsite(website) ?? "");
  return checkInput(
    workspaceValues,
    { ...draft, slug: draft.slug.trim(), websiteUrl },
    { websiteUrl: "Enter an address such as https://example.com." },
  );
}
