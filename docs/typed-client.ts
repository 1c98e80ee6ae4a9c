// A typed client of the REST API:
//   npm init -y && npm pkg set type=module
//   npm install openapi-fetch && npm install --save-dev openapi-typescript typescript @types/node
//   npx openapi-typescript http://127.0.0.1:3000/openapi.json --output transfer-api.d.ts
//   npx tsc --module nodenext --target es2022 --types node typed-client.ts && TOKEN=... node typed-client.js
import createClient from "openapi-fetch";
import type { paths } from "./transfer-api.js";

const api = createClient<paths>({ baseUrl: "http://127.0.0.1:3000/api/public/v1" });
const headers = { Authorization: `Bearer ${process.env.TOKEN}` };
const journey = { origin: "Zurich Airport", destination: "Zermatt", passengers: 2, luggage: 2 };
const body = { ...journey, pickup_datetime: new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString() };
const { data, error } = await api.POST("/quotes", { headers, body });
if (error) throw new Error(`${error.code}: ${error.next_action}`);
for (const option of data.options ?? []) process.stdout.write(`${option.vehicle_class} ${option.total_price}\n`);
