import { z } from "zod/v3";
import {
  canton,
  country,
  id,
  kilometers,
  latitude,
  longitude,
  name,
  position,
  positiveInteger,
  postcode,
  refersTo,
  strictObject,
  text,
} from "./fields.ts";

export const PLACE_KINDS = ["airport", "station", "town", "resort", "village"] as const;

/** How a traveler gets from a car stop to a car-free place. */
export const CONNECTION_MEANS = [
  "train",
  "shuttle",
  "bus",
  "gondola",
  "cable_car",
  "funicular",
  "boat",
  "taxi",
] as const;

const minutes = positiveInteger.max(600);

const iata = z.string().regex(/^[A-Z]{3}$/, "Not an IATA code");
const at = strictObject(position);
const place = strictObject({
  id: id.describe("unique among all places; corridors refer to it"),
  name: name.describe("as people abroad write it"),
  kind: z.enum(PLACE_KINDS),
  country: refersTo("country", "listed in regions.json"),
  canton: refersTo("canton", "listed in regions.json; absent where the country has none").optional(),
  postcodes: z.array(postcode).optional().describe("absent: none"),
  lat: latitude.optional().describe("WGS 84 degrees, where the place is not at its road node: see README.md"),
  lng: longitude.optional().describe("given or absent together with lat"),
  node: refersTo("road node", "id of the road node it is attached to; absent: the node of the same id").optional(),
  iata: iata.optional().describe("airports only"),
  aliases: z.array(name).optional().describe("other names; case, accents, umlauts and hyphens need no alias"),
  localName: name.optional().describe("means this place only with its canton or postcode, alone that of this name"),
  radiusKm: kilometers(20).optional().describe("of its extent, in which coordinates are the place; see README.md"),
  otherPositions: z.array(at).optional().describe("centers of further extents, such as an airport's; absent: none"),
  partOf: refersTo("place", "id of its town, whose fares, zones and corridors it has unless it has its own").optional(),
  main: z.boolean().optional().describe("well known, so that short or badly misspelled names suggest it"),
  carFree: strictObject({
    carStop: refersTo("place", "id of the place where cars stop"),
    onward: text.describe("how the traveler continues from there, one sentence"),
    means: z.enum(CONNECTION_MEANS).describe("by what the traveler continues"),
    minutes: minutes.describe("how long that takes; at most, where it differs"),
    everyMinutes: minutes.optional().describe("interval of the connection; absent: unknown"),
    included: z.boolean().optional().describe("true: the operator pays for it. Absent: the traveler does"),
  })
    .optional()
    .describe("absent: cars reach the place"),
}).refine(
  ({ lat, lng }) => (lat === undefined) === (lng === undefined),
  "lat and lng are given together or not at all",
);
export const PlacesFile = strictObject({ places: z.array(place) });

const farCity = strictObject({ name, country, ...position, aliases: z.array(name).optional() });
export const FarCitiesFile = strictObject({
  cities: z.array(farCity).describe("well-known cities outside the service area"),
});

const site = strictObject({
  name,
  town: refersTo("place", "id of the place that people name with it; the position decides where it belongs"),
  ...position,
  aliases: z.array(name).optional().describe("other names; words in another order or such as hotel need no alias"),
});
export const SitesFile = strictObject({
  sites: z.array(site).describe("hotels, hospitals, congress centers, campuses and lift stations by name"),
});

const names = z.array(name).min(1).describe("in every language that travelers write");
export const RegionsFile = strictObject({
  countries: z.array(
    strictObject({
      code: country,
      names,
      regions: z.array(name).optional().describe("names of its regions, each of which means the country"),
    }),
  ),
  cantons: z.array(strictObject({ code: canton, names })).describe("the canton of a place is its code"),
  elsewhere: z.array(name).describe("countries and regions that are not served but have places of the same names"),
});

/** What a word does in a text of a place. */
export const WORD_ROLES = [
  "before",
  "after",
  "joining",
  "direction",
  "arrow",
  "area",
  "lake",
  "streetBefore",
  "streetAfter",
  "article",
  "contraction",
  "prefix",
  "not",
  "otherPlace",
  "ordinary",
  "title",
  "company",
  "station",
  "airport",
  "of",
  "terminal",
  "flight",
  "canton",
  "postcodeCountry",
  "postcodeWord",
  "filler",
  "besideSite",
  "hotel",
  "generic",
  "ignored",
  "commonName",
] as const;

const language = text.describe("en, de, fr …; any: the word is of no language");
const words = z.array(text).min(1).describe("case, accents and hyphens do not matter");
export const WordsFile = strictObject({
  words: z.array(strictObject({ role: z.enum(WORD_ROLES).describe("see README.md"), language, words })),
  siteKinds: z
    .array(strictObject({ kind: text.describe("words of one kind count as the same word"), language, words }))
    .describe("kinds of sites: hospital, clinic, lift; a space in a word may be left out"),
  streetAbbreviations: z
    .record(text)
    .describe('abbreviations of words for streets, each with its word; "-str" is the end of a longer word'),
});

type ListedPlace = z.output<typeof place>;
export type CarFree = NonNullable<ListedPlace["carFree"]>;
/** A place with the defaults of absent fields. */
export type PlaceEntry = ListedPlace & Required<Pick<ListedPlace, "aliases" | "postcodes" | "main" | "lat" | "lng">>;
type ListedCity = z.output<typeof farCity>;
export type FarCity = ListedCity & Required<Pick<ListedCity, "aliases">>;
export type Site = z.output<typeof site>;
export type PlaceWords = z.output<typeof WordsFile>;
export type Regions = z.output<typeof RegionsFile>;
