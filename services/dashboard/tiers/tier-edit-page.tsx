import { Alert, Button, Paper, Stack } from "@mantine/core";
import type { Tier } from "#libs/contract/tiers.ts";
import { api } from "../api/client.ts";
import { takeTier } from "../api/queries.ts";
import { advertiseLink, useWorkspace } from "../api/workspace.ts";
import { CodeToCopy, copyText } from "../components/copy.tsx";
import { ALL_TIERS, Columns, EditPage, useToList } from "../components/edit-page.tsx";
import { DraftForm, useDraftForm, useLeaveGuard } from "../components/forms/draft-form.tsx";
import { Icon } from "../components/icon.tsx";
import { Section } from "../components/section.tsx";
import { Empty } from "../components/states.tsx";
import { useEmbedTag } from "../components/use-placement.ts";
import { checkTier, draftOfTier } from "./tier-draft.ts";
import { TierInputs } from "./tier-inputs.tsx";
import { TierPreview } from "./tier-preview.tsx";
import { TierPrices } from "./tier-prices.tsx";
import { useArchiveTier } from "./use-change-tier.ts";

/** The forms of one tier; undefined if the workspace does not have it. */
export function TierEditPage({ tier }: { readonly tier: Tier | undefined }) {
  if (tier === undefined) {
    return (
      <EditPage title="Tier" list={ALL_TIERS}>
        <Empty title="Tier not found" text="This workspace has no such tier." />
      </EditPage>
    );
  }
  return (
    <EditPage title={tier.name} list={ALL_TIERS} actions={<Actions tier={tier} />}>
      <TierForms tier={tier} />
    </EditPage>
  );
}

function Actions({ tier }: { readonly tier: Tier }) {
  const workspace = useWorkspace();
  const { isBusy, act: change } = useArchiveTier();
  if (!tier.isActive) {
    return (
      <Button variant="default" loading={isBusy} onClick={() => void change(tier)}>
        Put back on sale
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="link" />}
        onClick={() => void copyText(advertiseLink(workspace, tier.id), "Advertising link copied")}
      >
        Copy advertising link
      </Button>
      <Button
        variant="default"
        loading={isBusy}
        leftSection={<Icon name="archive" />}
        onClick={() => void change(tier)}
      >
        Archive
      </Button>
    </>
  );
}

function TierForms({ tier }: { readonly tier: Tier }) {
  const { id: workspaceId } = useWorkspace();
  const toTiers = useToList(ALL_TIERS);
  const state = useDraftForm(draftOfTier(tier), {
    check: checkTier,
    send: (input) => api.tiers.update({ workspaceId, tierId: tier.id, ...input }),
    done: "Tier saved",
    onDone: async (changed, client) => {
      takeTier(client, workspaceId, changed);
      await toTiers();
    },
  });
  useLeaveGuard(state.isDirty);
  return (
    <Columns
      aside={<TierPreview draft={state.draft} prices={tier.prices.filter(({ isActive }) => isActive)} />}
    >
      <Stack gap="lg">
        {tier.isActive ? null : (
          <Alert color="gray" title="This tier is archived">
            Nobody can buy it. Ads already bought in it keep running.
          </Alert>
        )}
        <Paper withBorder p="lg">
          <DraftForm state={state} label="Tier" action="Save changes" isDisabled={!state.isDirty}>
            <TierInputs state={state} />
          </DraftForm>
        </Paper>
        <TierPrices tier={tier} />
        <TierTag tier={tier} />
      </Stack>
    </Columns>
  );
}

function TierTag({ tier }: { readonly tier: Tier }) {
  const { id: workspaceId } = useWorkspace();
  const tag = useEmbedTag(workspaceId, tier);
  return (
    <Section
      title="On your site"
      text="Paste this where you want the ads of this tier to appear. Settings → Embed has more options."
    >
      <CodeToCopy code={tag} label="Embed tag" action="Copy tag" />
    </Section>
  );
}
