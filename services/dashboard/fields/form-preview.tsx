import { Paper, Stack, TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Section } from "../components/section.tsx";
import { FieldControl } from "./field-control.tsx";
import type { FieldValues } from "./field-draft.ts";
import classes from "./form-preview.module.css";

interface FormPreviewProps {
  readonly fields: readonly FieldValues[];
  readonly current?: number;
}

/** The advertiser's form. It can be tried out and sends nothing. */
export function FormPreview({ fields, current }: FormPreviewProps) {
  const edited = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current !== undefined) showWithin(edited.current);
  }, [current]);
  return (
    <Section
      isPlain
      size="h4"
      title="Preview"
      text="The form that advertisers fill in. Try it: nothing is sent."
    >
      <Paper withBorder p="lg" shadow="sm">
        <Stack gap="md">
          <TextInput label="Name" required placeholder="Ad name" />
          <TextInput label="Website" required placeholder="https://" />
          {fields.map((field, index) =>
            field.isPublisherOnly ? null : (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: a control starts again when another takes its place.
                key={`${index} ${field.type} ${field.default}`}
                ref={index === current ? edited : null}
                className={classes.control}
                data-current={index === current || undefined}
              >
                <FieldControl field={field} />
              </div>
            ),
          )}
        </Stack>
      </Paper>
    </Section>
  );
}

/** Scrolls the preview to the control, but never the page. */
function showWithin(control: HTMLElement | null): void {
  const around = control?.closest("[data-scrolls]");
  if (!control || !around) return;
  const { top } = control.getBoundingClientRect();
  around.scrollTop += top - around.getBoundingClientRect().top - around.clientHeight / 2;
}
