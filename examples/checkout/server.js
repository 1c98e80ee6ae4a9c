/** An operator's own checkout: shows what a signed link stands for, and takes the payment with Stripe Checkout. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createBookings } from "./bookings.js";
import { detailsIn, fieldsOf } from "./details.js";
import { linkIn, OfferProblem, resolveOffer } from "./offer.js";
import { offerPage, paidPage, problemPage } from "./pages.js";
import { createPayments } from "./payments.js";
import { readSettings } from "./settings.js";

const MOST_BYTES = 256 * 1024;
const STATUS = { expired: 409, wrong: 404, unavailable: 503 };
const INCOMPLETE = "Fill in every field as its label says. Nothing was charged.";
const DETAILS_ARE_FIXED = "Your details were sent before and stay as they were sent first. Call us to change them.";

const settings = readSettings(process.env);
const log = (line) => process.stdout.write(`${line}\n`);
const bookings = createBookings(settings, log);
const payments = createPayments(settings, bookings, log);
const STYLE = readFileSync(new URL("style.css", import.meta.url));
// A browser applies form-action to where a form's answer redirects, too.
const stripePages =
  settings.stripeApi.hostname === "api.stripe.com" ? "https://checkout.stripe.com" : settings.stripeApi.origin;
const POLICY = `default-src 'none'; style-src 'self'; form-action 'self' ${stripePages}; base-uri 'none'; frame-ancestors 'none'`;

const routes = {
  "GET /book": async (request, url) => {
    const link = linkIn(url.searchParams);
    const offer = await offerOf(link, request);
    return { status: 200, html: offerPage(offer, link, payments.detailsOf(offer) ? [] : fieldsOf(offer)) };
  },
  "GET /style.css": async () => ({ status: 200, type: "text/css", html: STYLE }),
  // The amount is read again: what the browser sends is the link and the traveler's details.
  "POST /pay": async (request) => {
    const form = new URLSearchParams((await bodyOf(request)).toString());
    const link = linkIn(form);
    const offer = await offerOf(link, request);
    const fields = fieldsOf(offer);
    const sent = payments.detailsOf(offer);
    if (sent) {
      const isOther = fields.some(({ name }) => form.has(name) && form.get(name).trim() !== sent[name]);
      if (isOther) return { status: 409, html: offerPage(offer, link, [], DETAILS_ARE_FIXED) };
    }
    const details = sent ?? detailsIn(form, fields);
    if (!details) return { status: 422, html: offerPage(offer, link, fields, INCOMPLETE) };
    const session = await payments.sessionFor(offer, link, details);
    return { status: 303, location: session.url };
  },
  // Anybody can open this address: only the webhook makes a booking.
  "GET /paid": async (_request, url) => ({
    status: 200,
    html: paidPage(bookings.of(url.searchParams.get("session_id"))),
  }),
  "POST /webhook": async (request) => {
    const body = await bodyOf(request);
    let event;
    try {
      event = payments.eventOf(body, request.headers["stripe-signature"] ?? "");
    } catch (error) {
      log(`webhook rejected: ${error.message.split("\n")[0]}`);
      return { status: 400 };
    }
    await payments.received(event);
    return { status: 204 };
  },
};

const server = createServer(async (request, response) => {
  const {
    status,
    html = "",
    type = "text/html",
    location,
  } = await answerTo(request).catch((error) => {
    const kind = error instanceof OfferProblem ? error.kind : "unavailable";
    if (kind === "unavailable") log(`${request.method} failed: ${error.message}`);
    return { status: STATUS[kind], html: problemPage(kind) };
  });
  response.writeHead(status, {
    "Content-Type": `${type}; charset=utf-8`,
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
