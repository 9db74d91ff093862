import { Fragment } from "react";

/** An email address that breaks before its "@" and its dots, and inside a word only where that alone does not fit. */
export function EmailText({ email }: { readonly email: string }) {
  return email.split(/(?=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts hold no state.
    <Fragment key={index}>
      {index === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}
