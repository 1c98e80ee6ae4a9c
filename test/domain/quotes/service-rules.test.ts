import { suite } from "node:test";
import type { Catalog } from "../../../src/domain/catalog/catalog.ts";
import { told } from "../../support/told.ts";

const OWN: Catalog["serviceRules"] = [
  { id: "corridors", offer: "at_once", corridor: true },
  { id: "grisons", offer: "none", reason: "We do not drive in the Grisons.", bothEndsIn: { cantons: ["GR"] } },
  { id: "bern", offer: "on_request", reason: "Bern is far.", routes: [{ from: "bern", to: "thun" }] },
  { id: "swiss", offer: "at_once", bothEndsIn: { countries: ["CH"] } },
  { id: "others", offer: "none", reason: "We drive in Switzerland." },
];

suite("what is sold at once, on request or not at all", () => {
  told(
    "by the packaged rules: at once with an end in Switzerland or Liechtenstein or in a town at the border",
    {},
    `Lyon > Geneva      -> never On request
     Vaduz > Innsbruck  -> never On request
     Konstanz > Lindau  -> never On request
     47.42, 9.37 > Lyon -> never On request
     Lyon > Innsbruck   -> says On request: … (+41 00 000 00 00, … must confirm before booking. A journey between two places abroad, neither of them a town at the Swiss border, is`,
  );
  told(
    "by the first of an operator's rules that matches",
    { rules: { serviceRules: OWN } },
    `Geneva Airport > Chamonix -> never On request
     Davos Platz > Chur        -> refuses UNSUPPORTED_ROUTE
      -> says We do not drive in the Grisons
     Bern > Thun               -> offers sedan on request, estate on request, first_class on request, van on request, first_class_van on request
      -> says Bern is far.
     Thun > Bern               -> never On request
     Bern > Milan              -> refuses UNSUPPORTED_ROUTE
      -> says We drive in Switzerland.`,
  );
});
