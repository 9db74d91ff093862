import { Stack, Text, Title } from "@mantine/core";
import type { PriceInput } from "./price-draft.ts";
import { TierCard } from "./tier-card.tsx";
import { previewOf, type TierDraft } from "./tier-draft.ts";

interface TierPreviewProps {
  readonly draft: TierDraft;
  readonly prices: readonly PriceInput[];
}

/** The card that advertisers will see, as the form stands. */
export function TierPreview({ draft, prices }: TierPreviewProps) {
  return (
    <Stack gap="sm" component="section" aria-labelledby="tier-preview">
      <div>
        <Title order={2} size="h4" id="tier-preview">
          Preview
        </Title>
        <Text size="sm" c="dimmed">
          The card on your advertise page.
        </Text>
      </div>
      <TierCard tier={previewOf(draft)} prices={prices} />
    </Stack>
  );
}
