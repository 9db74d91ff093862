import { Button, CloseButton, Fieldset, Group, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { DraftErrors } from "../editing/draft-errors.ts";
import { emptyPrice, type PriceDraft } from "./price-draft.ts";
import { PriceInputs } from "./price-inputs.tsx";

interface InitialPricesProps {
  readonly prices: readonly PriceDraft[];
  readonly errors: DraftErrors;
  readonly currency: string;
  readonly onChange: (prices: PriceDraft[]) => void;
}

/** As many as can be asked for at once. */
const MOST = 50;

/** The prices that a tier begins with. */
export function InitialPrices({ prices, errors, currency, onChange }: InitialPricesProps) {
  return (
    <Stack gap="sm">
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
                errors={errorsOf(errors, index)}
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
      {prices.length >= MOST ? null : (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...prices, emptyPrice(prices.at(-1)?.currency ?? currency)])}
          >
            Add another price
          </Button>
        </Group>
      )}
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

function errorsOf(errors: DraftErrors, index: number): DraftErrors {
  const prefix = `initialPrices.${index}.`;
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), text]] : [],
    ),
  );
}
