import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";
import classes from "./lists.module.css";

/** The props of a link that looks like a Mantine component. */
type Link<Look> = Look &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Look> & { readonly ref?: Ref<HTMLAnchorElement> };

/** A text link to another page of the dashboard. */
export const LinkTo = createLink((props: Link<AnchorProps>) => <Anchor {...props} />);

/** The link of a row with the class `row`: a name that the whole row leads to. */
export const RowLink = createLink(({ children, ...props }: Link<AnchorProps>) => (
  <Anchor className={classes.link ?? ""} fw={600} {...props}>
    <bdi dir="auto">{children}</bdi>
  </Anchor>
));

/** A link that looks like a button. */
export const ButtonTo = createLink((props: Link<ButtonProps>) => <Button component="a" {...props} />);

/** A link in a menu. */
export const MenuItemTo = createLink((props: Link<MenuItemProps>) => <Menu.Item component="a" {...props} />);

/** A link in the navigation. */
export const NavLinkTo = createLink((props: Link<NavLinkProps>) => <NavLink component="a" {...props} />);
