import { Anchor, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Workspace } from "#libs/contract/workspaces.ts";
import { api, query } from "../api/client.ts";
import { statusOf } from "../api/problems.ts";
import { advertiseLink } from "../api/workspace.ts";
import { CodeToCopy } from "../components/copy.tsx";
import { NoAccessPage } from "../components/error-pages.tsx";
import { DraftForm } from "../components/forms/draft-form.tsx";
import { errorsBelow, useDraft } from "../components/forms/use-draft.ts";
import { ButtonTo, LinkTo } from "../components/links.tsx";
import { QueryView } from "../components/states.tsx";
import { readColumn, USUAL_COLUMN, useEmbedTag, useNewestTier } from "../components/use-placement.ts";
import { PriceInputs } from "../tiers/price-inputs.tsx";
import { checkNewTier, emptyTier } from "../tiers/tier-draft.ts";
import { FirstFields } from "./first-fields.tsx";
import { StepFrame } from "./step-frame.tsx";
import { useOnce } from "./use-once.ts";

/** Makes a new workspace ready to sell: a tier with a price, and the tag for the site. */
export function FirstStepsPage() {
  const { workspaceId } = useParams({ from: "/signed-in/w/$workspaceId/welcome" });
  const { step } = useSearch({ from: "/signed-in/w/$workspaceId/welcome" });
  const workspace = useQuery(query.workspaces.get.queryOptions({ input: { workspaceId } }));

  const status = statusOf(workspace.error);
  if (status === 403 || status === 404) return <NoAccessPage />;
  return (
    <QueryView query={workspace}>
      {(found) => {
        if (step === "tag") return <AddToSite workspace={found} />;
        return step === "fields" ? <FirstFields workspace={found} /> : <FirstTier workspace={found} />;
      }}
    </QueryView>
  );
}

/** The second step: the first tier and its price. */
function FirstTier({ workspace }: { readonly workspace: Workspace }) {
  const { id: workspaceId, currency } = workspace;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const state = useDraft(emptyTier(currency));
  const { bind, draft, errors, change } = state;
  const [price] = draft.initialPrices;
  const { isBusy, run } = useOnce(state.refuseBy);

  const submit = () => {
    const checked = checkNewTier(draft);
    if ("errors" in checked) return state.refuse(checked.errors);
    void run(async (context) => {
      await api.tiers.create({ workspaceId, ...checked.input }, { context });
      await queryClient.invalidateQueries({ queryKey: query.tiers.key() });
      await navigate({ to: "/w/$workspaceId/welcome", params: { workspaceId }, search: { step: "fields" } });
    });
  };

  return (
    <StepFrame
      step={2}
      title="What do you sell?"
      text="A tier is a placement with a price. You can edit it and add more at any time."
      footer={
        <LinkTo to="/w/$workspaceId/overview" params={{ workspaceId }}>
          Do this later
        </LinkTo>
      }
    >
      <DraftForm state={{ ...state, isBusy, submit }} action="Create tier">
        <TextInput label="Tier name" required placeholder="Sidebar" autoFocus {...bind("name")} />
        {price === undefined ? null : (
          <PriceInputs
            price={price}
            errors={errorsBelow(errors, "initialPrices.0")}
            onChange={(changed) => change({ initialPrices: [changed] })}
          />
        )}
      </DraftForm>
    </StepFrame>
  );
}

/** The last step: the tag for the publisher's site, and the advertising page. */
function AddToSite({ workspace }: { readonly workspace: Workspace }) {
  const { id: workspaceId } = workspace;
  const link = advertiseLink(workspace);
  const tier = useNewestTier(workspaceId);
  const [width, setWidth] = useState(String(USUAL_COLUMN));
  const tag = useEmbedTag(workspaceId, tier, readColumn(width));
  return (
    <StepFrame
      step={4}
      title="Add Placard to your site"
      text={`Paste this where you want ads${tier === undefined ? "" : ` of ${tier.name}`} to appear. It stays empty until you approve your first ad.`}
    >
      <Stack gap="lg">
        <TextInput
          label="Width of your column (px)"
          description="The tag reserves as much height as an ad needs there, so your page doesn’t jump."
          inputMode="decimal"
          autoComplete="off"
          value={width}
          onChange={({ currentTarget }) => setWidth(currentTarget.value)}
        />
        <CodeToCopy code={tag} label="Embed tag" action="Copy tag" />
        <div>
          <Title order={2} size="h5">
            Where advertisers buy
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            Link to this page from your site, or share it with potential advertisers.
          </Text>
          <Anchor href={link} target="_blank" rel="noreferrer" size="sm" style={{ wordBreak: "break-all" }}>
            {link}
          </Anchor>
        </div>
        <ButtonTo to="/w/$workspaceId/overview" params={{ workspaceId }} variant="default">
          Go to overview
        </ButtonTo>
      </Stack>
    </StepFrame>
  );
}
