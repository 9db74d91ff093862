import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { formatMoment } from "../components/format.ts";
import { Section } from "../components/section.tsx";
import { KeyList } from "./key-list.tsx";

/** The API keys of the workspace. */
export function ApiKeysCard() {
  const { id: workspaceId } = useWorkspace();
  const keys = useQuery(query.apiKeys.list.queryOptions({ input: { workspaceId } }));
  return (
    <Section
      isSplit
      title="API keys"
      text="For your own programs to manage ads, tiers and fields. A key has the same permissions as the person who created it. Keep it secret; don’t put it in client code or repositories."
    >
      <Anchor href="/v1/docs" target="_blank" rel="noopener" size="sm">
        API documentation (opens in a new tab)
      </Anchor>
      <KeyList
        noun="API key"
        placeholder="Name, such as “Website build”"
        keys={keys}
        detailOf={({ lastUsedAt }) =>
          lastUsedAt === null ? "Never used" : `Last used ${formatMoment(lastUsedAt)}`
        }
        create={(name) => api.apiKeys.create({ workspaceId, name })}
        revoke={(keyId) => api.apiKeys.revoke({ workspaceId, keyId })}
        reload={query.apiKeys.key()}
      />
    </Section>
  );
}
