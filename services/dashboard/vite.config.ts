import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { contractRoutes } from "./api/contract-routes.ts";

/** `npm start` answers what the dev server does not build. */
const INSTALLATION = "http://127.0.0.1:8080";
const NOT_PAGES = ["/v1", "/api", "/uploads", "/sandbox", "/advertise", "/demo", "/embed.js", "/embed.mjs"];

/** Sessions start only for pages of the installation's own origin, so requests claim it. */
const toInstallation = { target: INSTALLATION, changeOrigin: true, headers: { origin: INSTALLATION } };

export default defineConfig({
  plugins: [react(), contractRoutes()],
  // Built files have a hash in their names, so browsers may cache them forever.
  build: {
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What most pages share comes as one file, which is smaller compressed than dozens.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 14 }] } },
    },
  },
  server: { proxy: Object.fromEntries(NOT_PAGES.map((path) => [path, toInstallation])) },
});
