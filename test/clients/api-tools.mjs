import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import newman from "newman";
import createClient from "openapi-fetch";
import converter from "openapi-to-postmanv2";
import SwaggerClient from "swagger-client";
import { aJourney, withServer } from "./journey.mjs";

const { convert } = converter;

export const checks = [
  {
    ...{ client: "openapi-fetch", from: "openapi-fetch", does: "short journey over REST" },
    run: (project) => withServer(project, withOpenApiFetch),
  },
  {
    ...{ client: "Swagger Client", from: "swagger-client" },
    does: "short journey by operations made of the OpenAPI document",
    run: (project) => withServer(project, withSwaggerClient),
  },
  {
    ...{ client: "Postman's converter and Newman", from: "newman" },
    does: "short journey by a collection made of the OpenAPI document",
    run: (project) => withServer(project, (server) => withNewman(server, project.openApi)),
  },
];

async function withOpenApiFetch({ url, authorization }) {
  const client = createClient({ baseUrl: `${url}/api/public/v1`, headers: { Authorization: authorization } });
  const refused = await client.POST("/quotes", { body: { ...aJourney(), origin: "Nowhere at all" } });
  assert.deepEqual([refused.response.status, refused.error.code], [422, "INVALID_LOCATION"]);
  const { data } = await client.POST("/quotes", { body: aJourney() });
  const body = { quote_id: data.quote_id, fleet_id: 1, traveler_approval: true };
  const handoff = await client.POST("/checkout-sessions", { body });
  assert.match(handoff.data.checkout_url, /sig=/);
}

async function withSwaggerClient({ url, authorization }) {
  const requestInterceptor = (request) => {
    request.headers.Authorization = authorization;
    return request;
  };
  const client = await new SwaggerClient({ url: `${url}/openapi.json`, requestInterceptor });
  const operations = Object.assign({}, ...Object.values(client.apis));
  const post = async (operationId, requestBody) => {
    const { body } = await operations[operationId]({}, { requestBody }).catch(({ response }) => response);
    return body;
  };
  const refused = await post("createQuote", { ...aJourney(), origin: "Nowhere at all" });
  assert.equal(refused.code, "INVALID_LOCATION");
  const { quote_id } = await post("createQuote", aJourney());
  const handoff = await post("createCheckoutHandoff", { quote_id, fleet_id: 1, traveler_approval: true });
  assert.match(handoff.checkout_url, /sig=/);
}

/** Runs the requests of the collection with bodies of a real journey, in the order of the documents. */
async function withNewman({ url, authorization }, openApi) {
  const data = readFileSync(openApi, "utf8");
  const { result, output } = await promisify(convert)({ type: "string", data }, {});
  assert.ok(result);
  const [{ data: collection }] = output;
  const { request: quotes } = requestNamed(collection, "Create a binding quote");
  const { request: handoffs } = requestNamed(collection, "Create a checkout link");
  const bodied = (request, raw) => ({ ...request, body: { ...request.body, raw }, auth: null, header: headers });
  const headers = [
    { key: "Content-Type", value: "application/json" },
    { key: "Authorization", value: authorization },
  ];
  const keep = ["pm.environment.set('quote_id', pm.response.json().quote_id)"];
  const item = [
    { name: "refused", request: bodied(quotes, JSON.stringify({ ...aJourney(), origin: "Nowhere at all" })) },
    {
      ...{ name: "quote", request: bodied(quotes, JSON.stringify(aJourney())) },
      event: [{ listen: "test", script: { exec: keep, type: "text/javascript" } }],
    },
    { name: "handoff", request: bodied(handoffs, '{"quote_id":"{{quote_id}}","fleet_id":1,"traveler_approval":true}') },
  ];
  const variable = [{ key: "baseUrl", value: `${url}/api/public/v1` }];
  const summary = await promisify(newman.run)({ collection: { ...collection, item, variable } });
  const [refused, quote, handoff] = summary.run.executions.map(({ response }) => response.json());
  assert.equal(refused.code, "INVALID_LOCATION");
  assert.equal(quote.status, "open");
  assert.match(handoff.checkout_url, /sig=/);
}

function requestNamed({ item = [] }, name) {
  return item.map((each) => (each.name === name && each.request ? each : requestNamed(each, name))).find(Boolean);
}
