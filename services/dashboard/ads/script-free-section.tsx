import { SegmentedControl, Text } from "@mantine/core";
import { useState } from "react";
import type { Ad } from "#libs/contract/ad.ts";
import { CodeToCopy } from "../components/copy.tsx";
import { SCRIPT_FREE_PLACES, type ScriptFreePlace, scriptFreeCode } from "../components/script-free-code.ts";
import { oneOf } from "../components/search.ts";
import { Section } from "../components/section.tsx";
import { useSettings } from "../settings/setting-switch.tsx";

const NOTES: Readonly<Record<ScriptFreePlace, string>> = {
  Newsletter:
    "The image counts opens. Gmail, Yahoo, Apple Mail and some others hide opens, so there only clicks count.",
  Feed: "For an entry of an RSS feed. If it has a description already, add what is inside CDATA to that. The image counts shown entries.",
  README: "Clicks only: hosts such as GitHub load images through a proxy that hides who looks.",
};

/** The ad as a link that counts, for where the embed tag's script does not run. */
export function ScriptFreeSection({ ad }: { readonly ad: Ad }) {
  const [place, setPlace] = useState<ScriptFreePlace>("Newsletter");
  const settings = useSettings();
  return (
    <Section
      title="Newsletters, feeds and README files"
      text="A link that counts clicks and leads to the advertiser, where no script runs."
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
          Your settings count only events with proof, which these links can’t have: they lead to the
          advertiser, and nothing is counted.
        </Text>
      ) : null}
    </Section>
  );
}
