import { z } from "zod/v3";

const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Not lower-case words and hyphens");
const name = z.string().min(1).max(128);
const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);
const country = z.string().regex(/^[A-Z]{2}$/, "Not an ISO 3166-1 alpha-2 code");

export const PLACE_KINDS = ["airport", "station", "town", "resort", "village"] as const;

export const PlacesFile = z
  .object({
    places: z.array(
      z
        .object({
          id,
          /** As people abroad write it. */
          name,
          /** Names that folding does not make equal to `name`. */
          aliases: z.array(name).optional(),
          /** Name that means this place beside its canton or postcode only: alone it is a better known place's. */
          localName: name.optional(),
          kind: z.enum(PLACE_KINDS),
          country,
          /** Two letters, Swiss places only. */
          canton: z
            .string()
            .regex(/^[A-Z]{2}$/, "Not a canton")
            .optional(),
          postcodes: z.array(z.string().regex(/^\d{4,5}$/, "Not a postcode")).optional(),
          lat: latitude,
          lng: longitude,
          iata: z
            .string()
            .regex(/^[A-Z]{3}$/, "Not an IATA code")
            .optional(),
          /** One of the most used places; review lists are drawn from them. */
          main: z.boolean().optional(),
          /** Road node it hangs on, where that is not the one of the same id. */
          node: id.optional(),
          /** Cars stop at the place `dropOff`; `onward` tells the traveler how to go on. */
          carFree: z
            .object({ dropOff: id, onward: z.string().min(1) })
            .strict()
            .optional(),
        })
        .strict(),
    ),
  })
  .strict();

/** Cities that everyone knows and nobody is driven to from here. */
export const FarCitiesFile = z
  .object({
    cities: z.array(
      z.object({ name, country, lat: latitude, lng: longitude, aliases: z.array(name).optional() }).strict(),
    ),
  })
  .strict();

type ListedPlace = z.output<typeof PlacesFile>["places"][number];
type ListedCity = z.output<typeof FarCitiesFile>["cities"][number];

/** A place with what its line leaves out; filled in after the check, because defaults of the schema are slow. */
export type PlaceEntry = ListedPlace & Required<Pick<ListedPlace, "aliases" | "postcodes" | "main">>;
export type FarCity = ListedCity & Required<Pick<ListedCity, "aliases">>;
