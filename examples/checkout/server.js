/** An operator's own checkout: shows what a signed link stands for, and takes the payment with Stripe Checkout. */
import { createServer } from "node:http";
import { linkIn, OfferProblem, resolveOffer } from "./offer.js";
import { offerPage, paidPage, problemPage } from "./pages.js";
import { createPayments } from "./payments.js";
import { readSettings } from "./settings.js";

const MOST_BYTES = 256 * 1024;
const STATUS = { expired: 409, wrong: 404, unavailable: 503 };

const settings = readSettings(process.env);
const log = (line) => process.stdout.write(`${line}\n`);
const payments = createPayments(settings, log);
// A browser applies form-action to where a form's answer redirects, too.
const stripePages =
  settings.stripeApi.hostname === "api.stripe.com" ? "https://checkout.stripe.com" : settings.stripeApi.origin;
const POLICY = `default-src 'none'; form-action 'self' ${stripePages}; base-uri 'none'; frame-ancestors 'none'`;

const routes = {
  "GET /book": async (request, url) => {
    const link = linkIn(url.searchParams);
    return { status: 200, html: offerPage(await offerOf(link, request), link) };
  },
  // The amount is read again: what the browser sends is the link and nothing else.
  "POST /pay": async (request) => {
    const link = linkIn(new URLSearchParams((await bodyOf(request)).toString()));
    const session = await payments.sessionFor(await offerOf(link, request), link);
    return { status: 303, location: session.url };
  },
  // Anybody can open this address: only the webhook makes a booking.
  "GET /paid": async (_request, url) => ({
    status: 200,
    html: paidPage(payments.isBooked(url.searchParams.get("session_id"))),
  }),
  "POST /webhook": async (request) => {
    const body = await bodyOf(request);
    try {
      payments.received(body, request.headers["stripe-signature"] ?? "");
    } catch (error) {
      log(`webhook rejected: ${error.message.split("\n")[0]}`);
      return { status: 400 };
    }
    return { status: 204 };
  },
};

const server = createServer(async (request, response) => {
  const {
    status,
    html = "",
    location,
  } = await answerTo(request).catch((error) => {
    const kind = error instanceof OfferProblem ? error.kind : "unavailable";
    if (kind === "unavailable") log(`${request.method} failed: ${error.message}`);
    return { status: STATUS[kind], html: problemPage(kind) };
  });
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    // The address holds the link.
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    ...(location && { Location: location }),
  });
  response.end(html);
});
server.listen(settings.port, "127.0.0.1", () => log(`checkout on http://127.0.0.1:${server.address().port}/book`));

async function answerTo(request) {
  const url = new URL(request.url, settings.publicUrl);
  const route = routes[`${request.method} ${url.pathname}`];
  return route ? route(request, url) : { status: 404, html: problemPage("wrong") };
}

function offerOf(link, request) {
  return resolveOffer(settings.serviceUrl, link, request.socket.remoteAddress);
}

async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new OfferProblem("wrong");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
