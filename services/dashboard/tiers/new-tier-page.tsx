import { Divider, Paper, Stack, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Columns } from "../editing/columns.tsx";
import { DraftForm } from "../editing/draft-form.tsx";
import { EditPage } from "../editing/edit-page.tsx";
import { useDraft } from "../editing/use-draft.ts";
import { useLeaveGuard } from "../editing/use-leave-guard.ts";
import { query } from "../shell/client.ts";
import { notifyDone } from "../shell/notify.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import { InitialPrices } from "./initial-prices.tsx";
import { checkPrice } from "./price-draft.ts";
import { checkNewTier, emptyTier } from "./tier-draft.ts";
import { TierInputs } from "./tier-inputs.tsx";
import { TierPreview } from "./tier-preview.tsx";
import { takeTier } from "./tiers-query.ts";
import { ALL_TIERS, useToTiers } from "./to-tiers.ts";

/** The form of a tier that is not there yet. */
export function NewTierPage() {
  const { id: workspaceId, currency } = useWorkspace();
  const queryClient = useQueryClient();
  const toTiers = useToTiers();
  const state = useDraft(emptyTier(currency));
  useLeaveGuard(state.isDirty);
  const create = useMutation(
    query.tiers.create.mutationOptions({
      onSuccess: async (tier) => {
        takeTier(queryClient, workspaceId, tier);
        await toTiers();
        notifyDone(`${tier.name} is on sale`);
      },
      onError: state.refuseBy,
    }),
  );

  const { draft, errors, change } = state;
  const submit = () => {
    const checked = checkNewTier(draft);
    if ("errors" in checked) state.refuse(checked.errors);
    else create.mutate({ workspaceId, ...checked.input });
  };
  const prices = draft.initialPrices.map(checkPrice).flatMap((one) => ("input" in one ? [one.input] : []));
  return (
    <EditPage title="New tier" list={ALL_TIERS}>
      <Columns aside={<TierPreview draft={draft} prices={prices} />}>
        <Paper withBorder p="lg">
          <DraftForm
            state={state}
            label="New tier"
            submit="Create tier"
            isSaving={create.isPending}
            onSubmit={submit}
          >
            <TierInputs state={state} />
            <Divider />
            <Stack gap="sm">
              <Title order={2} size="h4">
                Prices
              </Title>
              <InitialPrices
                prices={draft.initialPrices}
                errors={errors}
                currency={currency}
                onChange={(initialPrices) => change({ initialPrices })}
              />
            </Stack>
          </DraftForm>
        </Paper>
      </Columns>
    </EditPage>
  );
}
