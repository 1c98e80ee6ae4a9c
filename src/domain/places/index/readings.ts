/** How a text is read: the first reading that finds a place, or asks about some, decides. */
export const READINGS = [
  {
    name: "name",
    reads:
      "A name, alias or IATA code and nothing else but its country, canton, postcode, street or larger place, in any order.",
    example: "8001 Zürich, Switzerland",
  },
  {
    name: "postcode",
    reads: "A postcode alone is the place that has it, or a question with those that do.",
    example: "CH-3920",
  },
  { name: "journey", reads: "The two ends of a journey are a question with both.", example: "Geneva to Verbier" },
  {
    name: "flight",
    reads: "A town with an airport, beside a word about a flight, is a question with airport and town.",
    example: "we land at Zurich",
  },
  {
    name: "framedName",
    reads: "A name between words that say what happens there; an article stands before a station or a site only.",
    example: "please pick me up at Zurich Airport, arrivals",
  },
  { name: "chain", reads: "A word of the names of several sites is a question with them.", example: "The Hilton" },
  {
    name: "site",
    reads: "A site without its town, misspelled, or only of a kind, is a question; so is one of several with the name.",
    example: "Kantonsspital",
  },
  {
    name: "misspelledSiteWord",
    reads: "A misspelled word for airport or station is a question with what it would name.",
    example: "Zurich Airprt",
  },
  {
    name: "address",
    reads: "A town and unknown words, with a comma between them, is an address in the town.",
    example: "Hotel Bellevue, Zermatt",
  },
  { name: "farCity", reads: "A city far outside the service area.", example: "London" },
  {
    name: "misspelledName",
    reads: "A name with one letter too many, missing, wrong or swapped with its neighbor is a question.",
    example: "Interlakn",
  },
  {
    name: "postcodeNearby",
    reads: "The postcode of a place beside the town is a question with that place.",
    example: "8058 Zürich",
  },
  {
    name: "nameAtAnEnd",
    reads:
      "A name at either end is the town of an address, unless a word makes it a street, a lake, another town or a place near it.",
    example: "The Crown Andermatt",
  },
  { name: "badlyMisspelledName", reads: "A well-known name with two such letters is a question.", example: "Intrlakn" },
  {
    name: "misspelledPart",
    reads: "An address with a misspelled town is a question with the corrected address.",
    example: "Hotel Bellevue, Zermat",
  },
  {
    name: "nameAmongWords",
    reads: "A station, an airport or a site between other words is a question.",
    example: "Sheraton Malpensa Airport Hotel",
  },
] as const;
export type ReadingName = (typeof READINGS)[number]["name"];
