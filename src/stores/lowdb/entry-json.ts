import { type JsonBytes, jsonBytes, jsonList, jsonString, sharedJson } from "../../contract/json-bytes.ts";
import type { PriceLine } from "../../pricing/price.ts";
import type { PricedOption, StoredQuote } from "../../quotes/quote.ts";
import type { QuoteEntry } from "../quote-store.ts";

/** The JSON of an entry. A quote's options, two thirds of it, differ from those of the last quote in price alone. */
export function entryJson({ quote, record, sale }: QuoteEntry): JsonBytes {
  let json = "";
  if (quote) json += `,"quote":${quoteJson(quote)}`;
  if (record) json += `,"record":${jsonBytes(record)}`;
  if (sale) json += `,"sale":${jsonBytes(sale)}`;
  return `{${json.slice(1)}}`;
}

function quoteJson({ options, notices, limitations, ...rest }: StoredQuote): JsonBytes {
  const said = `"notices":${jsonList(notices, sharedJson)},"limitations":${jsonList(limitations, jsonString)}`;
  return `${jsonBytes(rest).slice(0, -1)},${said},"options":${jsonList(options, optionJson)}}`;
}

/** By vehicle class, its last option, and the JSON of what all its options have in common. */
const classes = new Map<string, { readonly option: PricedOption; readonly json: JsonBytes }>();

function optionJson(option: PricedOption): JsonBytes {
  const known = classes.get(option.vehicleClass);
  const json = known && isSameClass(known.option, option) ? known.json : classJson(option);
  const lines = jsonList(option.priceLines, lineJson);
  return `${json},"totalRappen":${option.totalRappen},"priceLines":${lines}}`;
}

function lineJson({ label, rappen }: PriceLine): JsonBytes {
  return `{"label":${jsonString(label)},"rappen":${rappen}}`;
}

function classJson(option: PricedOption): JsonBytes {
  const { totalRappen: _, priceLines: __, ...common } = option;
  const json = jsonBytes(common).slice(0, -1);
  classes.set(option.vehicleClass, { option, json });
  return json;
}

function isSameClass(a: PricedOption, b: PricedOption): boolean {
  return (
    a.fleetId === b.fleetId &&
    a.vehicleType === b.vehicleType &&
    a.passengerCapacity === b.passengerCapacity &&
    a.luggageCapacity === b.luggageCapacity &&
    a.largeLuggageCapacity === b.largeLuggageCapacity &&
    a.smallLuggageCapacity === b.smallLuggageCapacity &&
    a.onRequest === b.onRequest
  );
}
