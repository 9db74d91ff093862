import { Paper } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { DraftForm } from "../editing/draft-form.tsx";
import { useDraft } from "../editing/use-draft.ts";
import { query } from "../shell/client.ts";
import { notifyDone } from "../shell/notify.ts";
import { useWorkspace } from "../shell/workspace.tsx";
import { checkPrice, emptyPrice } from "./price-draft.ts";
import { PriceInputs } from "./price-inputs.tsx";
import type { Tier } from "./shapes.ts";
import { takeTier } from "./tiers-query.ts";

/** The form of another price of a tier that exists. */
export function NewPrice({ tier, onDone }: { readonly tier: Tier; readonly onDone: () => void }) {
  const { id: workspaceId, currency } = useWorkspace();
  const queryClient = useQueryClient();
  const state = useDraft(emptyPrice(tier.prices.at(-1)?.currency ?? currency));
  const create = useMutation(
    query.prices.create.mutationOptions({
      onSuccess: (changed) => {
        takeTier(queryClient, workspaceId, changed);
        notifyDone("Price added");
        onDone();
      },
      onError: state.refuseBy,
    }),
  );
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const submit = () => {
    const checked = checkPrice(state.draft);
    if ("errors" in checked) state.refuse(checked.errors);
    else create.mutate({ workspaceId, tierId: tier.id, ...checked.input });
  };
  return (
    <Paper withBorder p="md" ref={form}>
      <DraftForm
        state={state}
        label="New price"
        submit="Add price"
        isSaving={create.isPending}
        onSubmit={submit}
        onCancel={onDone}
      >
        <PriceInputs price={state.draft} errors={state.errors} onChange={state.change} />
      </DraftForm>
    </Paper>
  );
}
