import { fold } from "./fold.ts";
import type { PlaceEntry } from "./schema.ts";

const COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  CH: ["Switzerland", "Schweiz", "Suisse", "Svizzera", "Svizra", "CH"],
  LI: ["Liechtenstein", "FL", "LI"],
  FR: ["France", "Frankreich", "Francia", "FR"],
  IT: ["Italy", "Italien", "Italie", "Italia", "IT"],
  AT: ["Austria", "Österreich", "Autriche", "AT"],
  DE: ["Germany", "Deutschland", "Allemagne", "Germania", "DE"],
};

const CANTONS: Readonly<Record<string, readonly string[]>> = {
  AG: ["Aargau", "Argovie"],
  AI: ["Appenzell Innerrhoden"],
  AR: ["Appenzell Ausserrhoden"],
  BE: ["Bern", "Berne", "Berna"],
  BL: ["Basel-Landschaft", "Baselland", "Bâle-Campagne"],
  BS: ["Basel-Stadt", "Bâle-Ville"],
  FR: ["Fribourg", "Freiburg", "Friburgo"],
  GE: ["Geneva", "Genève", "Genf", "Ginevra"],
  GL: ["Glarus", "Glaris"],
  GR: ["Graubünden", "Grisons", "Grigioni", "Grischun"],
  JU: ["Jura"],
  LU: ["Lucerne", "Luzern", "Lucerna"],
  NE: ["Neuchâtel", "Neuenburg"],
  NW: ["Nidwalden", "Nidwald"],
  OW: ["Obwalden", "Obwald"],
  SG: ["St. Gallen", "Saint-Gall", "San Gallo"],
  SH: ["Schaffhausen", "Schaffhouse", "Sciaffusa"],
  SO: ["Solothurn", "Soleure", "Soletta"],
  SZ: ["Schwyz", "Svitto"],
  TG: ["Thurgau", "Thurgovie", "Turgovia"],
  TI: ["Ticino", "Tessin"],
  UR: ["Uri"],
  VD: ["Vaud", "Waadt"],
  VS: ["Valais", "Wallis", "Vallese"],
  ZG: ["Zug", "Zoug", "Zugo"],
  ZH: ["Zürich", "Zurigo"],
};

const REGIONS: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const regions = new Map<string, Set<string>>();
  const add = (word: string, region: string) => {
    const folded = fold(word);
    regions.set(folded, (regions.get(folded) ?? new Set()).add(region));
  };
  for (const [code, names] of Object.entries(COUNTRIES))
    for (const name of names) add(name, `country:${code}`);
  for (const [code, names] of Object.entries(CANTONS)) {
    for (const name of [code, ...names]) add(name, `canton:${code}`);
    for (const name of names) add(`Kanton ${name}`, `canton:${code}`);
    for (const name of names) add(`Canton ${name}`, `canton:${code}`);
  }
  return regions;
})();

/** Whether a folded part only says in which country or canton, or under which postcode, a place lies. */
export function isQualifier(part: string): boolean {
  return REGIONS.has(part) || /^(ch |fl |d |a |f |i )?\d{4,5}$/.test(part);
}

/** Whether the place lies where the qualifier says. */
export function satisfies(place: PlaceEntry, qualifier: string): boolean {
  const postcode = /\d{4,5}$/.exec(qualifier)?.[0];
  if (postcode) return place.postcodes.includes(postcode);
  const regions = REGIONS.get(qualifier);
  return regions?.has(`country:${place.country}`) === true || regions?.has(`canton:${place.canton}`) === true;
}
