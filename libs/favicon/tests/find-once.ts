import { networkOf } from "#libs/guarded-fetch/tests/network.ts";
import { createFavicons } from "../favicons.ts";

/** A program of its own: looks for the icon of the page it is given and prints what kind of finding that is. */
const page = new URL(process.argv[2] ?? "");
const favicons = createFavicons({ contact: page, network: networkOf([{ port: Number(page.port) }]) });
const { kind } = await favicons.find(page, new AbortController().signal);
process.stdout.write(kind);
