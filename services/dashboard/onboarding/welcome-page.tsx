import { TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { newWorkspace } from "#libs/contract/workspaces.ts";
import { api, query } from "../api/client.ts";
import { usePerson } from "../api/session.ts";
import { CurrencySelect } from "../components/currency-select.tsx";
import { checkInput } from "../components/forms/check-input.ts";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { useDraft } from "../components/forms/use-draft.ts";
import { LinkTo } from "../components/links.tsx";
import { readWebsite } from "../components/web-address.ts";
import { StepFrame } from "./step-frame.tsx";
import { useOnce } from "./use-once.ts";

const EMPTY = { name: "", websiteUrl: "", currency: "usd" };

/** The first step, for every new workspace. */
export function WelcomePage() {
  const { name: person } = usePerson();
  const workspaces = useQuery(query.workspaces.list.queryOptions());
  const hasOne = (workspaces.data?.items.length ?? 0) > 0;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const state = useDraft(EMPTY);
  const { bind, draft, errors, change } = state;
  const { isBusy, run } = useOnce(state.refuseBy);

  const submit = () => {
    const checked = checkDraft(draft);
    if ("errors" in checked) return state.refuse(checked.errors);
    void run(async (context) => {
      const { id: workspaceId } = await api.workspaces.create(checked.input, { context });
      await queryClient.invalidateQueries({ queryKey: query.workspaces.key() });
      await navigate({ to: "/w/$workspaceId/welcome", params: { workspaceId } });
    });
  };

  return (
    <StepFrame
      step={1}
      title={hasOne ? "New workspace" : `Welcome, ${person}`}
      text="A workspace is one site that you sell placements on."
      footer={
        hasOne ? (
          <LinkTo to="/">Back to your workspaces</LinkTo>
        ) : (
          "Were you invited to a workspace? Open the link in the email instead."
        )
      }
    >
      <DraftForm state={{ ...state, isBusy, submit }} action="Create workspace">
        <TextInput
          label="Name"
          required
          placeholder="My site"
          autoComplete="organization"
          autoFocus
          {...bind("name")}
        />
        <TextInput
          label="Website"
          description="Shown on your advertising page."
          placeholder="example.com"
          inputMode="url"
          autoComplete="url"
          {...bind("websiteUrl")}
        />
        <CurrencySelect
          value={draft.currency}
          error={errors.currency}
          onChange={(currency) => change({ currency })}
        />
      </DraftForm>
    </StepFrame>
  );
}

function checkDraft({ websiteUrl, ...draft }: typeof EMPTY) {
  const website = websiteUrl.trim() === "" ? {} : { websiteUrl: readWebsite(websiteUrl) ?? "" };
  return checkInput(
    newWorkspace,
    { ...draft, ...website },
    {
      name: "Enter a name of at least 2 characters.",
      websiteUrl: "Enter an address such as example.com.",
    },
  );
}
