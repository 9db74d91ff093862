import { Stack } from "@mantine/core";
import type { Ad, PreviousSubmission } from "#libs/contract/ad.ts";
import type { Field } from "#libs/contract/fields.ts";
import { Difference } from "./difference.tsx";
import { RequestedChanges } from "./notices.tsx";
import { compareCreatives } from "./revision-difference.ts";

interface SinceNoteProps {
  readonly previous: PreviousSubmission;
  readonly submitted: Pick<Ad, "name" | "websiteUrl" | "meta">;
  readonly fields: readonly Field[];
}

/** What the advertiser has changed after the publisher's note, beside the note. */
export function SinceNote({ previous, submitted, fields }: SinceNoteProps) {
  return (
    <Stack gap="lg">
      <RequestedChanges title="You requested changes" note={previous.note} />
      <Difference
        changes={compareCreatives(previous, submitted, fields)}
        titles={{ before: "Before your note", after: "Submitted now" }}
        ifNone="The advertiser has submitted the same again."
      />
    </Stack>
  );
}
