import { useQueryClient } from "@tanstack/react-query";
import { notifyDone } from "../shell/notify.ts";
import { callPeople } from "../shell/people-api.ts";
import { sessionQuery, usePerson } from "../shell/session.ts";
import { NameInput } from "./inputs.tsx";
import { ShortForm } from "./short-form.tsx";
import { useSubmission } from "./submission.ts";

/** Changes what the signed-in person is called. */
export function NameForm() {
  const person = usePerson();
  const queryClient = useQueryClient();
  const state = useSubmission(
    { name: person.name },
    {
      send: async ({ name }) => {
        await callPeople("POST", "/update-user", { name });
        queryClient.setQueryData(sessionQuery.queryKey, () => ({ ...person, name: name.trim() }));
        notifyDone("Name saved");
      },
    },
  );
  const { draft, errors, change } = state;
  return (
    <ShortForm state={state} action="Save name" button={{ variant: "default", w: "fit-content" }}>
      <NameInput value={draft.name} error={errors.name} onChange={(name) => change({ name })} />
    </ShortForm>
  );
}
