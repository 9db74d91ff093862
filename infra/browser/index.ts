// A browser for tests

export { expectAccessible } from "./accessible.ts";
export { expectInsideCards, expectNoOverflow } from "./overflow.ts";
export { type OpenedPage, openPage, type PageOptions } from "./page.ts";
export { type Product, startProduct } from "./product.ts";
export { settled } from "./settled.ts";
