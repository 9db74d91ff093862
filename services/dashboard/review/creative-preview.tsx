import { Stack } from "@mantine/core";
import type { Ad } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import { previewAd, recommendedSize } from "#libs/embed/preview.ts";
import { AdCard } from "../components/ad-card.tsx";
import { copyWords, listCreativeValues } from "../components/creative-values.ts";
import { Dimmed } from "../components/dimmed.tsx";

interface CreativePreviewProps {
  readonly creative: Pick<Ad, "name" | "websiteUrl" | "meta"> & { readonly faviconUrl: string | null };
  readonly fields: readonly Field[];
}

/** The ad as a visitor sees it: the embed's own card. An image without a copy is named below, as nobody is served it. */
export function CreativePreview({ creative, fields }: CreativePreviewProps) {
  const given = listCreativeValues(fields, creative.meta);
  const served = given.filter(({ value, copy }) => value !== undefined && copy === undefined);
  const values = Object.fromEntries(served.map(({ field, value }) => [field.id, value]));
  return (
    <Stack gap="xs" maw={420}>
      <AdCard ads={[previewAd({ ...creative, values }, fields)]} imageSize={recommendedSize(fields)} />
      {given.map(({ field, copy }) =>
        copy === undefined ? null : (
          <Dimmed key={field.id} size="sm">
            {field.name}: {copyWords(copy)}
          </Dimmed>
        ),
      )}
    </Stack>
  );
}
