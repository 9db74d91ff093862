import { keepTickShape } from "#libs/http/tick-shape.ts";

// Before the program is loaded: that alone makes enough garbage for the first full collection.
await keepTickShape();
await import("./run.ts");
