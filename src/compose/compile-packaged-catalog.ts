// A step of `build`: checks the packaged catalog with its schemas and computes what a start needs, so that the built
// program need not.
import { join } from "node:path";
import { loadCatalog } from "../catalog/catalog.ts";
import { openCatalogFolder } from "../catalog/catalog-folder.ts";
import { compileCatalog } from "../catalog/compiled-catalog.ts";
import { packageRoot } from "../ops/package-root.ts";
import { offsetsOf } from "../ops/zone-offsets.ts";
import { foldNames } from "../places/index/place-index.ts";
import { arcsOf } from "../routing/road-graph.ts";

const packaged = join(packageRoot, "fixtures", "catalog");

compileCatalog(openCatalogFolder(packaged).hash, () => {
  const catalog = loadCatalog(packaged);
  const names = foldNames(catalog);
  return { ...catalog, prepared: { names, arcs: arcsOf(catalog.roads), offsets: offsetsOf(catalog.tariff.timeZone) } };
});
