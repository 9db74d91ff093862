import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { TierPrice } from "#libs/contract/price.ts";
import type { Tier } from "#libs/contract/tiers.ts";
import { isChargeable } from "#libs/domain/money.ts";
import { api } from "../api/client.ts";
import { takeTier } from "../api/queries.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Flag } from "../components/badges.tsx";
import { priceWords } from "../components/format.ts";
import { DraftForm, useDraftForm } from "../components/forms/draft-form.tsx";
import { Icon } from "../components/icon.tsx";
import { Section } from "../components/section.tsx";
import { useAction } from "../components/use-action.ts";
import { checkPrice, emptyPrice } from "./price-draft.ts";
import { PriceInputs } from "./price-inputs.tsx";

/** The prices of a tier. Changes take effect immediately. */
export function TierPrices({ tier }: { readonly tier: Tier }) {
  const [isAdding, setAdding] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setAdding(false);
    opener.current?.focus();
  };
  const prices = tier.prices.toSorted((a, b) => Number(b.isActive) - Number(a.isActive));
  const onSale = prices.filter(({ isActive }) => isActive).length;
  return (
    <Section
      title="Prices"
      text="Prices can’t be edited. To change an amount, archive this price and add a new one; existing subscribers keep the old price."
      actions={
        <Button
          ref={opener}
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          Add a price
        </Button>
      }
    >
      {isAdding ? <NewPrice tier={tier} onDone={close} /> : null}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
        {prices.map((price) => (
          <PriceRow key={price.id} tier={tier} price={price} isLast={price.isActive && onSale === 1} />
        ))}
      </Stack>
    </Section>
  );
}

interface PriceRowProps {
  readonly tier: Tier;
  readonly price: TierPrice;
  /** Whether it is the only price on sale. */
  readonly isLast: boolean;
}

function PriceRow({ tier, price, isLast }: PriceRowProps) {
  const { id: workspaceId } = useWorkspace();
  const words = priceWords(price);
  const { isBusy, act: change } = useAction({
    question: () =>
      price.isActive
        ? {
            title: `Archive ${words}?`,
            text: `Nobody can buy at this price anymore. Existing subscriptions continue.${
              isLast ? " It’s the last price on sale, so nobody can buy the tier until you add another." : ""
            }`,
            action: "Archive price",
          }
        : null,
    send: () => {
      const one = { workspaceId, tierId: tier.id, priceId: price.id };
      return price.isActive ? api.prices.archive(one) : api.prices.unarchive(one);
    },
    done: price.isActive ? `${words} archived` : `${words} back on sale`,
    onDone: (changed, client) => takeTier(client, workspaceId, changed),
  });
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Group gap="xs">
        <Text c={price.isActive ? "bright" : "dimmed"}>{words}</Text>
        {price.isActive ? null : <Flag text="Archived" />}
        {isChargeable(price.amount, price.currency) ? null : <Flag text="May be refused at checkout" />}
      </Group>
      <Button
        variant="default"
        size="compact-sm"
        loading={isBusy}
        aria-label={price.isActive ? `Archive ${words}` : `Put back on sale: ${words}`}
        onClick={() => void change()}
      >
        {price.isActive ? "Archive" : "Put back on sale"}
      </Button>
    </Group>
  );
}

function NewPrice({ tier, onDone }: { readonly tier: Tier; readonly onDone: () => void }) {
  const { id: workspaceId, currency } = useWorkspace();
  const state = useDraftForm(emptyPrice(tier.prices.at(-1)?.currency ?? currency), {
    check: checkPrice,
    send: (input) => api.prices.create({ workspaceId, tierId: tier.id, ...input }),
    done: "Price added",
    onDone: (changed, client) => {
      takeTier(client, workspaceId, changed);
      onDone();
    },
  });
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  return (
    <Paper withBorder p="md" ref={form}>
      <DraftForm state={state} label="New price" action="Add price" onCancel={onDone}>
        <PriceInputs price={state.draft} errors={state.errors} onChange={state.change} />
      </DraftForm>
    </Paper>
  );
}
