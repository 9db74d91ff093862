import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { contractRoutes } from "./contract-routes.ts";

/** Where `npm start` answers what the dev server does not build. */
const INSTALLATION = "http://127.0.0.1:8080";
const NOT_PAGES = ["/v1", "/api", "/uploads", "/sandbox", "/advertise", "/demo", "/embed.js", "/embed.mjs"];

/** A session is only begun for pages of the installation's own origin, so that is what it is told. */
const toInstallation = { target: INSTALLATION, changeOrigin: true, headers: { origin: INSTALLATION } };

export default defineConfig({
  plugins: [react(), contractRoutes()],
  // Everything that is built has its hash in its name, so browsers may keep it for ever.
  build: {
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(NOT_PAGES.map((path) => [path, toInstallation])) },
});
