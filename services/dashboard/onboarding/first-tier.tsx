import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { DraftForm } from "../editing/draft-form.tsx";
import { useDraft } from "../editing/use-draft.ts";
import { api, query } from "../shell/client.ts";
import { LinkTo } from "../shell/links.tsx";
import type { Workspace } from "../shell/workspace.tsx";
import { checkPrice, emptyPrice } from "../tiers/price-draft.ts";
import { PriceInputs } from "../tiers/price-inputs.tsx";
import { StepFrame } from "./step-frame.tsx";
import { useOnce } from "./use-once.ts";

/** The second step: what is for sale, and for how much. */
export function FirstTier({ workspace }: { readonly workspace: Workspace }) {
  const { id: workspaceId, currency } = workspace;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const state = useDraft({ name: "", price: emptyPrice(currency) });
  const { draft, errors, change } = state;
  const { isBusy, run } = useOnce((error) => state.refuseBy(error));

  const submit = () => {
    const name = draft.name.trim();
    const price = checkPrice(draft.price);
    const nameErrors = name.length < 2 ? { name: "Enter a name of at least 2 characters." } : {};
    if ("errors" in price) return state.refuse({ ...nameErrors, ...belowPrice(price.errors) });
    if (name.length < 2) return state.refuse(nameErrors);
    void run(async (context) => {
      const { input } = price;
      await api.tiers.create({ workspaceId, name, weight: 1, initialPrices: [input] }, { context });
      await queryClient.invalidateQueries({ queryKey: query.tiers.key() });
      await navigate({ to: "/w/$workspaceId/welcome", params: { workspaceId }, search: { step: "tag" } });
    });
  };

  return (
    <StepFrame
      step={2}
      title="What do you sell?"
      text="A tier is a placement with a price. You can add more, and change this one, at any time."
      footer={
        <LinkTo to="/w/$workspaceId/overview" params={{ workspaceId }}>
          Do this later
        </LinkTo>
      }
    >
      <DraftForm state={state} submit="Create tier" isSaving={isBusy} onSubmit={submit}>
        <TextInput
          label="Name of the tier"
          placeholder="Sidebar"
          autoFocus
          value={draft.name}
          error={errors.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <PriceInputs
          price={draft.price}
          errors={priceErrors(errors)}
          onChange={(price) => change({ price })}
        />
      </DraftForm>
    </StepFrame>
  );
}

const PREFIX = "price.";

function belowPrice(errors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).map(([key, text]) => [`${PREFIX}${key}`, text]));
}

function priceErrors(errors: Readonly<Record<string, string>>): Record<string, string> {
  const ofPrice = Object.entries(errors).filter(([path]) => path.startsWith(PREFIX));
  return Object.fromEntries(ofPrice.map(([path, text]) => [path.slice(PREFIX.length), text]));
}
