import { useLocation, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Frame } from "../shell/frame.tsx";
import { ButtonTo, LinkTo } from "../shell/links.tsx";
import { callPeople } from "../shell/people-api.ts";
import { codeOf } from "../shell/problems.ts";
import { readPerson, useBeginSession } from "../shell/session.ts";
import { PasswordField } from "./inputs.tsx";
import { tokenIn } from "./link-token.ts";
import { ShortForm } from "./short-form.tsx";
import { useSubmission } from "./submission.ts";

/** The page behind the link of a sign-up. It asks for the password, which only the person who signed up knows. */
export function ConfirmAccountPage() {
  const { hash } = useLocation();
  const [token] = useState(() => tokenIn(hash));
  if (token !== null) return <Confirm token={token} />;
  return (
    <Frame title="This link is incomplete" text="Open it from the mail again, or sign in to get a new one.">
      <ButtonTo to="/sign-in">Go to sign-in</ButtonTo>
    </Frame>
  );
}

function Confirm({ token }: { readonly token: string }) {
  const { from } = useSearch({ from: "/confirm-account" });
  const router = useRouter();
  const navigate = useNavigate();
  const beginSession = useBeginSession();
  const state = useSubmission(
    { password: "" },
    {
      send: async ({ password }) => {
        const confirmed = await callPeople("POST", "/confirm-account", { token, password });
        const answer = await signIn(confirmed, password);
        if (readPerson(answer) === null) {
          const search = { notice: "verified" as const, ...(from === undefined ? {} : { from }) };
          await navigate({ to: "/sign-in", search, replace: true });
          return;
        }
        beginSession(answer);
        router.history.push(from ?? "/");
      },
      explain: explainRefusal,
    },
  );
  const { draft, errors, change } = state;

  return (
    <Frame
      title="Confirm your address"
      text="Enter the password that you chose when you created the account."
      footer={<LinkTo to="/forgot-password">Choose another password</LinkTo>}
    >
      <ShortForm state={state} action="Confirm and sign in">
        <PasswordField
          label="Password"
          value={draft.password}
          error={errors.password}
          onChange={(password) => change({ password })}
          autoFocus
        />
      </ShortForm>
    </Frame>
  );
}

/** Null when the sign-in fails: the address is confirmed anyway. */
async function signIn(confirmed: unknown, password: string): Promise<unknown> {
  if (typeof confirmed !== "object" || confirmed === null || !("email" in confirmed)) return null;
  return await callPeople("POST", "/sign-in/email", { email: confirmed.email, password }).catch(() => null);
}

function explainRefusal(error: unknown): string | null {
  switch (codeOf(error)) {
    case "INVALID_PASSWORD":
      return "This is not the password of the sign-up. If somebody else signed up with your address, choose another password below: theirs ends with that.";
    case "INVALID_TOKEN":
      return "This link has expired. Sign in to get a new one.";
    default:
      return null;
  }
}
