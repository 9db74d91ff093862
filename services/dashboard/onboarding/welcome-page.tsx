import { TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { DraftErrors } from "../editing/draft-errors.ts";
import { DraftForm } from "../editing/draft-form.tsx";
import { useDraft } from "../editing/use-draft.ts";
import { api, query } from "../shell/client.ts";
import { LinkTo } from "../shell/links.tsx";
import { usePerson } from "../shell/session.ts";
import { CurrencySelect } from "../tiers/currency-select.tsx";
import { StepFrame } from "./step-frame.tsx";
import { useOnce } from "./use-once.ts";
import { readWebsite } from "./website.ts";

const EMPTY = { name: "", websiteUrl: "", currency: "usd" };

/** The first step, and where every further workspace begins. */
export function WelcomePage() {
  const { name: person } = usePerson();
  const workspaces = useQuery(query.workspaces.list.queryOptions());
  const hasOne = (workspaces.data?.items.length ?? 0) > 0;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const state = useDraft(EMPTY);
  const { draft, errors, change } = state;
  const { isBusy, run } = useOnce(state.refuseBy);

  const create = async (context: { readonly idempotencyKey: string }) => {
    const website = draft.websiteUrl.trim() === "" ? undefined : readWebsite(draft.websiteUrl);
    const { id } = await api.workspaces.create(
      {
        name: draft.name.trim(),
        currency: draft.currency,
        ...(typeof website === "string" ? { websiteUrl: website } : {}),
      },
      { context },
    );
    await queryClient.invalidateQueries({ queryKey: query.workspaces.key() });
    await navigate({ to: "/w/$workspaceId/welcome", params: { workspaceId: id } });
  };
  const submit = () => {
    const found = check(draft);
    if (Object.keys(found).length > 0) state.refuse(found);
    else void run(create);
  };

  return (
    <StepFrame
      step={1}
      title={hasOne ? "New workspace" : `Welcome, ${person}`}
      text="A workspace is one site that you sell placements on."
      footer={hasOne ? <LinkTo to="/">Back to your workspaces</LinkTo> : null}
    >
      <DraftForm state={state} submit="Create workspace" isSaving={isBusy} onSubmit={submit}>
        <TextInput
          label="Name"
          placeholder="My site"
          autoComplete="organization"
          autoFocus
          value={draft.name}
          error={errors.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <TextInput
          label="Address of the site"
          description="Optional. Advertisers see it where they buy."
          placeholder="example.com"
          inputMode="url"
          autoComplete="url"
          value={draft.websiteUrl}
          error={errors.websiteUrl}
          onChange={({ currentTarget }) => change({ websiteUrl: currentTarget.value })}
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

function check({ name, websiteUrl }: typeof EMPTY): DraftErrors {
  return {
    ...(name.trim().length < 2 ? { name: "Enter a name of at least 2 characters." } : {}),
    ...(websiteUrl.trim() !== "" && readWebsite(websiteUrl) === null
      ? { websiteUrl: "Enter an address such as example.com." }
      : {}),
  };
}
