import express, { type Router } from "express";
import type { Operator } from "../calls/operation.ts";
import { readPackageFile } from "../ops/package-root.ts";
import { pageHeaders } from "../ops/page-headers.ts";
import { allowOnly } from "./app.ts";
import { aDocument, sendDocument } from "./send.ts";

/** `/brand.css` and `/logo`, which every page loads. The project's own color and logo where the operator has none. */
export function createBrandRouter(operator: () => Operator): Router {
  const router = express.Router();
  const headers = pageHeaders(["style-src 'unsafe-inline'"]);
  router.get("/brand.css", headers, (_request, response) => {
    sendDocument(response, aDocument("text/css", styleOf(operator())));
  });
  router.get("/logo", headers, (_request, response) => {
    const { type, content } = operator().logo ?? { type: "image/svg+xml", content: FAVICON };
    sendDocument(response, aDocument(type, content));
  });
  router.all(["/brand.css", "/logo"], allowOnly("GET", "HEAD"));
  return router;
}

const FAVICON = readPackageFile("src/http/site/favicon.svg");

/** On a dark page links are lighter and buttons keep the color, and what a logo draws in dark letters stays legible. */
function styleOf({ color, logo }: Operator): string {
  const atLeast = (lightness: number) => `light-dark(${color}, oklch(from ${color} max(l, ${lightness}) c h))`;
  const colors = `:root { --accent: ${atLeast(0.78)}; --fill: ${atLeast(0.5)}; --on-fill: #fff }\n`;
  const plate = "@media (prefers-color-scheme: dark) { .brand img { padding: 0.25rem; background: #fff } }\n";
  return (color === undefined ? "" : colors) + (logo === undefined ? "" : plate);
}
