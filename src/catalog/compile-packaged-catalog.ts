// A step of `build`: checks the packaged catalog with its schemas, so that the built program need not.
import { fileURLToPath } from "node:url";
import { loadCatalog } from "./catalog.ts";
import { openCatalogFolder } from "./catalog-folder.ts";
import { compileCatalog } from "./compiled-catalog.ts";

/** As seen from the built program. */
const packaged = fileURLToPath(new URL("../../../fixtures/catalog", import.meta.url));
compileCatalog(openCatalogFolder(packaged).hash, () => loadCatalog(packaged));
