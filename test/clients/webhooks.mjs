import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { aJourney, withServer } from "./journey.mjs";

const SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes, no").toString("base64")}`;
const does = "the signed event of a quote is verified, a changed one is not";

export const checks = [
  {
    client: "`standardwebhooks`",
    from: "standardwebhooks",
    does,
    run: (project) => verified(project, StandardWebhook),
  },
  { client: "`svix`", from: "svix", does, run: (project) => verified(project, SvixWebhook) },
];

async function verified(project, Webhook) {
  const receiver = createServer();
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const received = once(receiver, "request");
  const env = {
    TRANSFER_EVENTS_URL: `http://127.0.0.1:${receiver.address().port}/events`,
    TRANSFER_EVENTS_SECRET: SECRET,
  };
  await withServer(
    project,
    async ({ url, authorization }) => {
      const headers = { Authorization: authorization, "Content-Type": "application/json" };
      const created = await fetch(`${url}/api/public/v1/quotes`, {
        method: "POST",
        headers,
        body: JSON.stringify(aJourney()),
      });
      const { quote_id } = await created.json();
      const [request, response] = await received;
      const body = await text(request);
      response.writeHead(204).end();
      const webhook = new Webhook(SECRET);
      webhook.verify(body, request.headers);
      const { type, data } = JSON.parse(body);
      assert.deepEqual([type, data.quote_id], ["quote.created", quote_id]);
      assert.throws(() => webhook.verify(body.replace("quote.created", "quote.changed"), request.headers));
    },
    env,
  ).finally(() => receiver.close());
}
