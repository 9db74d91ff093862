import { SegmentedControl, Text } from "@mantine/core";
import { useState } from "react";
import type { Ad } from "#libs/contract/ad.ts";
import { CodeToCopy } from "../components/copy.tsx";
import { SCRIPT_FREE_PLACES, type ScriptFreePlace, scriptFreeCode } from "../components/script-free-code.ts";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { useSettings } from "../settings/setting-switch.tsx";

const NOTES: Readonly<Record<ScriptFreePlace, string>> = {
  Newsletter: "The image counts opens. Gmail, Yahoo and Apple Mail hide opens, so there only clicks count.",
  Feed: "For an RSS entry. If the entry has a description, add the part inside CDATA to it. The image counts views.",
  README: "Counts clicks only: GitHub and similar hosts load images through a proxy that hides readers.",
};

/** The ad as a link that counts, for where the embed tag's script does not run. */
export function ScriptFreeSection({ ad }: { readonly ad: Ad }) {
  const [place, setPlace] = useState<ScriptFreePlace>("Newsletter");
  const settings = useSettings();
  return (
    <Section
      title="Newsletters, feeds and README files"
      text="A link to the advertiser that counts clicks without a script."
    >
      <SegmentedControl
        aria-label="Link for"
        data={[...SCRIPT_FREE_PLACES]}
        value={place}
        onChange={(value) => setPlace(oneOf(SCRIPT_FREE_PLACES, value) ?? "Newsletter")}
      />
      <CodeToCopy
        code={scriptFreeCode(location.origin, ad, place)}
        label={`${place} code`}
        action="Copy code"
      />
      <Text size="sm">{NOTES[place]}</Text>
      {settings.data?.requireProof ? (
        <Text size="sm">
          Your settings count only events with proof. These links have none, so they work but nothing is
          counted.
        </Text>
      ) : null}
    </Section>
  );
}
