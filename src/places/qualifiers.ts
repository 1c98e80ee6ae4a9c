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
  BL: ["Basel-Landschaft", "Basel-Country", "Baselland", "Bâle-Campagne"],
  BS: ["Basel-Stadt", "Basel-City", "Bâle-Ville"],
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

/** Regions of the neighbours, by which their places are often told apart. */
const FOREIGN_REGIONS: Readonly<Record<string, readonly string[]>> = {
  FR: [
    "Haute-Savoie",
    "Savoie",
    "Ain",
    "Isère",
    "Rhône",
    "Rhône-Alpes",
    "Auvergne-Rhône-Alpes",
    "Alsace",
    "Haut-Rhin",
    "Bas-Rhin",
    "Grand Est",
    "Doubs",
    "Franche-Comté",
    "Bourgogne-Franche-Comté",
    "Territoire de Belfort",
  ],
  IT: [
    "Piemonte",
    "Piedmont",
    "Piémont",
    "Piemont",
    "Lombardia",
    "Lombardy",
    "Lombardei",
    "Lombardie",
    "Valle d'Aosta",
    "Aosta Valley",
    "Vallée d'Aoste",
    "Aostatal",
    "Trentino-Alto Adige",
    "Alto Adige",
    "Südtirol",
    "South Tyrol",
  ],
  AT: ["Tirol", "Tyrol", "Tirolo", "Vorarlberg"],
  DE: ["Bayern", "Bavaria", "Bavière", "Baviera", "Baden-Württemberg"],
};

/** Where namesakes of our places lie that nobody is driven to. */
const ELSEWHERE = `
  USA, US, U.S.A., United States, United States of America, UK, United Kingdom, England, Scotland, Ireland, Canada,
  Australia, New Zealand, Spain, Portugal, Netherlands, Belgium, Luxembourg, Poland, Slovenia,
  Alabama, Arkansas, California, Colorado, Connecticut, Delaware, Florida, Georgia, Idaho, Illinois, Indiana, Iowa,
  Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota, Mississippi, Missouri, Nebraska,
  Nevada, New Hampshire, New Jersey, New Mexico, North Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania,
  South Carolina, South Dakota, Tennessee, Texas, Utah, Vermont, Virginia, West Virginia, Wisconsin, Wyoming,
  Niederösterreich, Lower Austria, Oberösterreich, Upper Austria, Steiermark, Styria, Kärnten, Carinthia,
  Pas-de-Calais, Normandie, Normandy, Bretagne, Brittany, Provence, Hessen, Sachsen, Niedersachsen
`.split(",");

const REGIONS: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const regions = new Map<string, Set<string>>();
  const add = (word: string, region: string) => {
    const folded = fold(word);
    regions.set(folded, (regions.get(folded) ?? new Set()).add(region));
  };
  for (const [code, names] of Object.entries(COUNTRIES))
    for (const name of names) add(name, `country:${code}`);
  for (const [code, names] of Object.entries(FOREIGN_REGIONS))
    for (const name of names) add(name, `country:${code}`);
  for (const [code, names] of Object.entries(CANTONS))
    for (const name of [code, ...names]) add(name, `canton:${code}`);
  for (const name of ELSEWHERE) add(name, "elsewhere");
  return regions;
})();

const CANTON_BEFORE = /^(?:kanton|kt|canton|cantone|ct) (?:(?:of the|of|de la|de|du|del|di|d) )?/;
const CANTON_AFTER = / (?:canton|kanton)$/;
/** A postcode, alone or with the letters of its country. */
export const POSTCODE = /^(?:(?:ch|fl|li|at|a|de|d|fr|f|it|i) )?(\d{4,5})$/;

/** Whether a folded part only says in which country, region or canton, or under which postcode, a place lies. */
export function isQualifier(part: string): boolean {
  return POSTCODE.test(part) || regionsOf(part) !== undefined;
}

/** Whether the place lies where the qualifier says. */
export function satisfies(place: PlaceEntry, qualifier: string): boolean {
  const postcode = POSTCODE.exec(qualifier)?.[1];
  if (postcode) return place.postcodes.includes(postcode);
  const regions = regionsOf(qualifier);
  return regions?.has(`country:${place.country}`) === true || regions?.has(`canton:${place.canton}`) === true;
}

/** Whether an address lies where the qualifier says, by its country and the names that a map gives of what it lies in. */
export function isSaidBy(qualifier: string, country: string | null, names: readonly string[]): boolean {
  const postcode = POSTCODE.exec(qualifier)?.[1];
  if (postcode) return names.some((name) => fold(name).split(" ").includes(postcode));
  const regions = regionsOf(qualifier) ?? new Set();
  if (country === null || regions.has(`country:${country}`)) return !regions.has("elsewhere");
  return names.some((name) => {
    const others = regionsOf(fold(name));
    return others !== undefined && isSame(cantonsAmong(regions), others);
  });
}

function cantonsAmong(regions: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...regions].filter((region) => region.startsWith("canton:")));
}

/** What "vs", "canton of valais" and "valais wallis" name; the last is how maps write it where two languages are spoken. */
function regionsOf(part: string): ReadonlySet<string> | undefined {
  const known = REGIONS.get(part);
  if (known) return known;
  const canton = part.replace(CANTON_BEFORE, "").replace(CANTON_AFTER, "");
  if (canton !== part) return REGIONS.get(canton);
  const [first, ...others] = part.split(" ").map((word) => REGIONS.get(word));
  return others.length > 0 && others.every((other) => other && first && isSame(first, other))
    ? first
    : undefined;
}

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((region) => others.has(region));
}
