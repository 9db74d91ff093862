import { type Workspace, workspaceValues } from "#libs/contract/workspaces.ts";
import { checkInput } from "../components/forms/check-input.ts";
import { readWebsite } from "../components/web-address.ts";

const shape = workspaceValues.omit({ slug: true });

export function draftOfWorkspace({ name, websiteUrl, currency }: Workspace) {
  return { name, websiteUrl: websiteUrl ?? "", currency };
}

/** Checks the values and converts them to what the API takes. A website without a scheme gets https. */
export function checkWorkspace(draft: ReturnType<typeof draftOfWorkspace>) {
  const website = draft.websiteUrl.trim();
  const websiteUrl = website === "" ? null : (readWebsite(website) ?? "");
  return checkInput(
    shape,
    { ...draft, websiteUrl },
    { websiteUrl: "Enter a web address, such as example.com." },
  );
}
