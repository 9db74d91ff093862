import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  NavLink,
  type NavLinkProps,
} from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

/** What a link takes beside what its look does. */
type Link<Look> = Look &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Look> & { readonly ref?: Ref<HTMLAnchorElement> };

/** A link in a text to another page of the dashboard. */
export const LinkTo = createLink((props: Link<AnchorProps>) => <Anchor {...props} />);

/** A link to another page that looks like a button. */
export const ButtonTo = createLink((props: Link<ButtonProps>) => <Button component="a" {...props} />);

/** A link in a navigation. */
export const NavLinkTo = createLink((props: Link<NavLinkProps>) => <NavLink component="a" {...props} />);
