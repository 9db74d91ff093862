import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** One script with a fixed name: the server puts its content's hash into its address. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: fileURLToPath(new URL("./browser/main.ts", import.meta.url)),
      output: { entryFileNames: "advertise.js" },
    },
  },
});
