import { ColorSwatch, Group, Stack } from "@mantine/core";
import type { ReactElement } from "react";
import type { Field } from "#libs/contract/fields.ts";
import { contentText, copyWords, type ImageCopy } from "../components/creative-values.ts";
import { Dimmed } from "../components/dimmed.tsx";
import { WebImage } from "../components/web-image.tsx";
import { WebLink } from "../components/web-link.tsx";

interface FieldContentViewProps {
  readonly field: Pick<Field, "name" | "type">;
  readonly value: unknown;
  readonly copy?: ImageCopy | undefined;
}

/** A field's value, rendered by its type. It is plain text unless more is safe. */
export function FieldContentView({ field, value, copy }: FieldContentViewProps): ReactElement {
  const text = contentText(value);
  switch (field.type) {
    case "Image":
      return (
        <Stack gap={4}>
          {copy === undefined ? (
            <WebImage
              url={text}
              alt={field.name}
              style={{ maxWidth: "100%", maxHeight: 140, objectFit: "contain", alignSelf: "flex-start" }}
              instead={<Dimmed span>This image can’t be shown here.</Dimmed>}
            />
          ) : (
            <Dimmed span>{copyWords(copy)}</Dimmed>
          )}
          <WebLink url={text} size="xs" {...(copy === undefined ? { text: "Open image" } : {})} />
        </Stack>
      );
    case "Url":
      return <WebLink url={text} size="sm" />;
    case "Color":
      return (
        <Group gap="xs">
          {/^#[0-9a-f]{6}$/i.test(text) ? <ColorSwatch color={text} size={16} aria-hidden /> : null}
          <bdi>{text}</bdi>
        </Group>
      );
    case "Textarea":
      return (
        <bdi dir="auto" style={{ whiteSpace: "pre-wrap" }}>
          {text}
        </bdi>
      );
    case "Text":
    case "Email":
    case "Number":
    case "Switch":
    case "Select":
    case "Date":
      return <bdi dir="auto">{text}</bdi>;
  }
}
