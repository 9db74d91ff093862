import { CloseButton, Divider, Fieldset, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { MOST } from "#libs/domain/limits.ts";
import { api } from "../api/client.ts";
import { takeTier } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { ALL_TIERS, Columns, EditPage, useToList } from "../components/edit-page.tsx";
import { AddButton } from "../components/forms/add-button.tsx";
import { DraftForm, useDraftForm, useLeaveGuard } from "../components/forms/draft-form.tsx";
import { type DraftErrors, errorsBelow } from "../components/forms/use-draft.ts";
import { checkPrice, emptyPrice, type PriceDraft } from "./price-draft.ts";
import { PriceInputs } from "./price-inputs.tsx";
import { checkNewTier, emptyTier } from "./tier-draft.ts";
import { TierInputs } from "./tier-inputs.tsx";
import { TierPreview } from "./tier-preview.tsx";

/** The form of a new tier. */
export function NewTierPage() {
  const { id: workspaceId, currency } = useWorkspace();
  const toTiers = useToList(ALL_TIERS);
  const state = useDraftForm(emptyTier(currency), {
    check: checkNewTier,
    send: (input) => api.tiers.create({ workspaceId, ...input }),
    done: ({ name }) => `${name} is on sale`,
    onDone: async (tier, client) => {
      takeTier(client, workspaceId, tier);
      await toTiers();
    },
  });
  useLeaveGuard(state.isDirty);
  const { draft, errors, change } = state;
  const prices = draft.initialPrices.map(checkPrice).flatMap((one) => ("input" in one ? [one.input] : []));
  return (
    <EditPage title="New tier" list={ALL_TIERS}>
      <Columns aside={<TierPreview draft={draft} prices={prices} />}>
        <Paper withBorder p="lg">
          <DraftForm state={state} label="New tier" action="Create tier">
            <TierInputs state={state} />
            <Divider />
            <InitialPrices
              prices={draft.initialPrices}
              errors={errors}
              currency={currency}
              onChange={(initialPrices) => change({ initialPrices })}
            />
          </DraftForm>
        </Paper>
      </Columns>
    </EditPage>
  );
}

interface InitialPricesProps {
  readonly prices: readonly PriceDraft[];
  readonly errors: DraftErrors;
  readonly currency: string;
  readonly onChange: (prices: PriceDraft[]) => void;
}

function InitialPrices({ prices, errors, currency, onChange }: InitialPricesProps) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Prices
      </Title>
      {prices.map((price, index) => (
        <Fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: prices are only ever added at the end or removed, and hold no state.
          key={index}
          legend={`Price ${index + 1}`}
        >
          <Group wrap="nowrap" align="flex-start" gap="xs">
            <div style={{ flex: 1 }}>
              <PriceInputs
                price={price}
                errors={errorsBelow(errors, `initialPrices.${index}`)}
                onChange={(changed) => onChange(prices.with(index, changed))}
              />
              <Problem text={errors[`initialPrices.${index}`]} />
            </div>
            {prices.length === 1 ? null : (
              <CloseButton
                aria-label={`Remove price ${index + 1}`}
                onClick={() => onChange(prices.toSpliced(index, 1))}
              />
            )}
          </Group>
        </Fieldset>
      ))}
      <Problem text={errors.initialPrices} />
      <AddButton
        label="Add another price"
        isFull={prices.length >= MOST.initialPrices}
        onAdd={() => onChange([...prices, emptyPrice(prices.at(-1)?.currency ?? currency)])}
      />
    </Stack>
  );
}

function Problem({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <Text size="sm" c="var(--mantine-color-error)" role="alert" tabIndex={-1}>
      {text}
    </Text>
  );
}
