import { Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useEffect, useRef } from "react";
import { FieldControl, type ShownField } from "./field-control.tsx";
import classes from "./form-preview.module.css";

export type PreviewedField = ShownField & { readonly isPublisherOnly: boolean };

interface FormPreviewProps {
  readonly fields: readonly PreviewedField[];
  /** The field that is being worked on, by its place. */
  readonly current?: number;
}

/** The form in which advertisers describe their ad. It can be tried out, and sends nothing. */
export function FormPreview({ fields, current }: FormPreviewProps) {
  const worked = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current !== undefined) showWithin(worked.current);
  }, [current]);
  return (
    <Stack gap="sm" component="section" aria-labelledby="form-preview">
      <div>
        <Title order={2} size="h4" id="form-preview">
          Preview
        </Title>
        <Text size="sm" c="dimmed">
          The form that advertisers fill in. Try it: nothing is sent.
        </Text>
      </div>
      <Paper withBorder p="lg" shadow="sm">
        <Stack gap="md">
          <TextInput label="Name" required placeholder="Name of the ad" />
          <TextInput label="Website" required placeholder="https://" />
          {fields.map((field, index) =>
            field.isPublisherOnly ? null : (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: a control starts again when another takes its place.
                key={`${index} ${field.type} ${field.default}`}
                ref={index === current ? worked : null}
                className={classes.control}
                data-current={index === current || undefined}
              >
                <FieldControl field={field} />
              </div>
            ),
          )}
        </Stack>
      </Paper>
    </Stack>
  );
}

/** Scrolls what scrolls around the control, but never the page. */
function showWithin(control: HTMLElement | null): void {
  const around = control?.closest("[data-scrolls]");
  if (!control || !around) return;
  const { top } = control.getBoundingClientRect();
  around.scrollTop += top - around.getBoundingClientRect().top - around.clientHeight / 2;
}
