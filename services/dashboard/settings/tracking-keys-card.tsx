import { useQuery } from "@tanstack/react-query";
import { api, query } from "../api/client.ts";
import { useWorkspace } from "../api/workspace.ts";
import { CodeToCopy } from "../components/copy.tsx";
import { Section } from "../components/section.tsx";
import { KeyList } from "./key-list.tsx";

/** The tracking keys of the workspace, with an example of their use. */
export function TrackingKeysCard() {
  const { id: workspaceId } = useWorkspace();
  const keys = useQuery(query.trackingKeys.list.queryOptions({ input: { workspaceId } }));
  return (
    <Section
      isSplit
      title="Tracking keys"
      text="For your servers to report impressions and clicks, up to 1,000 in one request. A tracking key can do nothing else. Keep it secret: anyone who has it can report events."
    >
      <KeyList
        noun="tracking key"
        placeholder="Name, such as “Newsletter server”"
        keys={keys}
        detailOf={() => null}
        create={(name) => api.trackingKeys.create({ workspaceId, name })}
        revoke={(keyId) => api.trackingKeys.revoke({ workspaceId, keyId })}
        reload={query.trackingKeys.key()}
      />
      <CodeToCopy
        code={exampleOf(window.location.origin, workspaceId)}
        label="Example of a request"
        action="Copy example"
      />
    </Section>
  );
}

/** The key in the header counts a repeated request once. */
function exampleOf(origin: string, workspaceId: string): string {
  return `curl ${origin}/v1/workspaces/${workspaceId}/events \\
  -H "Authorization: Bearer plt_…" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '{"events": [{"adId": "ad_…", "kind": "impression", "ip": "203.0.113.7", "userAgent": "Mozilla/5.0 …"}]}'`;
}
