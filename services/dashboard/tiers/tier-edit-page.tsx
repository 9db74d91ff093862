import { Alert, Button, Paper, Stack } from "@mantine/core";
import { IconArchive, IconLink } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Columns } from "../editing/columns.tsx";
import { copyText } from "../editing/copy-text.ts";
import { DraftForm } from "../editing/draft-form.tsx";
import { EditPage } from "../editing/edit-page.tsx";
import { useDraft } from "../editing/use-draft.ts";
import { useLeaveGuard } from "../editing/use-leave-guard.ts";
import { query } from "../shell/client.ts";
import { notifyDone } from "../shell/notify.ts";
import { Empty } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { advertiseLink } from "./advertise-link.ts";
import type { Tier } from "./shapes.ts";
import { checkTier, draftOfTier } from "./tier-draft.ts";
import { TierInputs } from "./tier-inputs.tsx";
import { TierPreview } from "./tier-preview.tsx";
import { TierPrices } from "./tier-prices.tsx";
import { takeTier } from "./tiers-query.ts";
import { ALL_TIERS, useToTiers } from "./to-tiers.ts";
import { useArchiveTier } from "./use-archive-tier.ts";

/** The forms of one tier; undefined is one that the workspace does not have. */
export function TierEditPage({ tier }: { readonly tier: Tier | undefined }) {
  if (tier === undefined) {
    return (
      <EditPage title="Tier" list={ALL_TIERS}>
        <Empty
          title="There is no such tier"
          text="The address names a tier that this workspace does not have."
        />
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
  const { archive, unarchive, isChanging } = useArchiveTier();
  if (!tier.isActive) {
    return (
      <Button variant="default" loading={isChanging} onClick={() => unarchive(tier)}>
        Put back on sale
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconLink size={16} aria-hidden />}
        onClick={() => void copyText(advertiseLink(workspace, tier.id), "Advertise link copied")}
      >
        Copy advertise link
      </Button>
      <Button
        variant="default"
        loading={isChanging}
        leftSection={<IconArchive size={16} aria-hidden />}
        onClick={() => void archive(tier)}
      >
        Archive
      </Button>
    </>
  );
}

function TierForms({ tier }: { readonly tier: Tier }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toTiers = useToTiers();
  const state = useDraft(draftOfTier(tier));
  useLeaveGuard(state.isDirty);
  const update = useMutation(
    query.tiers.update.mutationOptions({
      onSuccess: async (changed) => {
        takeTier(queryClient, workspaceId, changed);
        await toTiers();
        notifyDone("Tier saved");
      },
      onError: state.refuseBy,
    }),
  );

  const submit = () => {
    const checked = checkTier(state.draft);
    if ("errors" in checked) state.refuse(checked.errors);
    else update.mutate({ workspaceId, tierId: tier.id, ...checked.input });
  };
  return (
    <Columns
      aside={<TierPreview draft={state.draft} prices={tier.prices.filter(({ isActive }) => isActive)} />}
    >
      <Stack gap="lg">
        {tier.isActive ? null : (
          <Alert color="gray" title="This tier is archived">
            Nobody can buy it. Ads bought in it before keep running.
          </Alert>
        )}
        <Paper withBorder p="lg">
          <DraftForm
            state={state}
            label="Tier"
            submit="Save changes"
            isSaving={update.isPending}
            isDisabled={!state.isDirty}
            onSubmit={submit}
          >
            <TierInputs state={state} />
          </DraftForm>
        </Paper>
        <TierPrices tier={tier} />
      </Stack>
    </Columns>
  );
}
