import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { NEW } from "../editing/search.ts";
import { QueryView } from "../shell/states.tsx";
import { useWorkspace } from "../shell/workspace.tsx";
import { FieldEditPage, NewFieldPage } from "./field-edit-page.tsx";
import { FieldListPage } from "./field-list-page.tsx";
import { fieldsQuery } from "./fields-query.ts";

/** What advertisers are asked for beside name and address: the list, or the field that the address names. */
export function FieldsPage() {
  const { id } = useWorkspace();
  const { edit } = useSearch({ from: "/signed-in/w/$workspaceId/fields" });
  const fields = useQuery(fieldsQuery(id));
  if (edit === undefined) return <FieldListPage fields={fields} />;
  return (
    <QueryView query={fields}>
      {(found) => {
        const field = found.find((one) => one.id === edit);
        return edit === NEW ? (
          <NewFieldPage fields={found} />
        ) : (
          <FieldEditPage key={edit} field={field} fields={found} />
        );
      }}
    </QueryView>
  );
}
