import { Badge } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { query } from "./client.ts";
import { useWorkspace } from "./workspace.tsx";

/** Says on every page that no money moves, where payments are a sandbox. */
export function SandboxNote() {
  const { id: workspaceId } = useWorkspace();
  const connection = useQuery(
    query.connect.get.queryOptions({ input: { workspaceId }, staleTime: Number.POSITIVE_INFINITY }),
  );
  if (connection.data?.sandbox !== true) return null;
  return (
    <Badge variant="default" tt="none" fw={500} title="No card is asked for and no money moves.">
      Sandbox payments
    </Badge>
  );
}
