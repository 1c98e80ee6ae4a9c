// Receives signed events. Run it beside `npm install standardwebhooks`:
//   EVENTS_SECRET=whsec_... PORT=8090 node events-receiver.mjs
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.EVENTS_SECRET);
// An event may arrive again: in a real system, store its id in the transaction that processes it.
const processed = new Set();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  const status = receive(body, request.headers);
  response.writeHead(status).end();
});

function receive(body, headers) {
  let event;
  try {
    // Over the body as it arrived; rejects what is older than five minutes, too.
    event = webhook.verify(body, headers);
  } catch {
    return 401;
  }
  const id = headers["webhook-id"];
  if (!processed.has(id)) process.stdout.write(`${event.timestamp} ${event.type} ${event.data.quote_id}\n`);
  processed.add(id);
  return 204;
}

server.listen(Number(process.env.PORT ?? 8090), "127.0.0.1", () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
