/** An operator's own checkout: shows what a signed link stands for, and takes the payment with Stripe Checkout. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createBookings } from "./bookings.js";
import { calendarOf } from "./calendar.js";
import { detailsIn, fieldsOf } from "./details.js";
import { brandFile, linkIn, OfferProblem, resolveOffer, wordsOf } from "./offer.js";
import { offerPage, paidPage, pendingPage, problemPage } from "./pages.js";
import { createPayments } from "./payments.js";
import { readSettings } from "./settings.js";
import { languageOf, textsIn } from "./texts.js";

const MOST_BYTES = 256 * 1024;
const STATUS = { expired: 409, wrong: 404, unavailable: 503 };

const settings = readSettings(process.env);
const log = (line) => process.stdout.write(`${line}\n`);
const bookings = createBookings(settings, log);
const payments = createPayments(settings, bookings, log);
const STYLE = readFileSync(new URL("style.css", import.meta.url));
// A browser applies form-action to where a form's answer redirects, too.
const stripePages =
  settings.stripeApi.hostname === "api.stripe.com" ? "https://checkout.stripe.com" : settings.stripeApi.origin;
const POLICY = `default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self' ${stripePages}; base-uri 'none'; frame-ancestors 'none'`;

/** Of the latest link that the service resolved: for pages that have no offer. */
let seller;
const words = new Map();

const routes = {
  "GET /book": async (request, { searchParams }) => {
    const link = linkIn(searchParams);
    const offer = await offerOf(link, request);
    const texts = await textsFor(languageOf(searchParams), offer);
    return {
      status: 200,
      content: offerPage(offer, link, payments.orderOf(offer) ? [] : fieldsOf(offer, texts), texts),
    };
  },
  "GET /style.css": async () => ({ status: 200, type: "text/css; charset=utf-8", content: STYLE }),
  "GET /brand.css": () => brandFile(settings.serviceUrl, "brand.css"),
  "GET /logo": () => brandFile(settings.serviceUrl, "logo"),
  // The amount is read again: what the browser sends is the link and the traveler's details.
  "POST /pay": async (request, { searchParams }) => {
    const form = new URLSearchParams((await bodyOf(request)).toString());
    const link = linkIn(form);
    const offer = await offerOf(link, request);
    const texts = await textsFor(languageOf(searchParams), offer);
    const fields = fieldsOf(offer, texts);
    const sent = payments.orderOf(offer)?.traveler;
    if (sent) {
      const isOther = fields.some(({ name }) => form.has(name) && form.get(name).trim() !== sent[name]);
      if (isOther) return { status: 409, content: offerPage(offer, link, [], texts, "fixed") };
    }
    const details = sent ?? detailsIn(form, fields);
    if (!details) return { status: 422, content: offerPage(offer, link, fields, texts, "incomplete") };
    const session = await payments.sessionFor(offer, link, details, texts.language);
    return { status: 303, location: session.url };
  },
  // Anybody can open this address: only the webhook makes a booking.
  "GET /paid": async (_request, { searchParams }) => {
    const sessionId = searchParams.get("session_id") ?? "";
    const booking = bookings.of(sessionId);
    const order = booking && payments.orderOf(booking);
    const texts = await textsFor(languageOf(searchParams), order?.offer);
    const content = booking
      ? paidPage(booking, order, texts, seller)
      : pendingPage(sessionId, Number(searchParams.get("looks")) || 0, texts, seller);
    return { status: 200, content };
  },
  "GET /calendar": async (_request, { searchParams }) => {
    const booking = bookings.of(searchParams.get("session_id"));
    const order = booking && payments.orderOf(booking);
    if (!order) throw new OfferProblem("wrong");
    const texts = await textsFor(order.language, order.offer);
    return { status: 200, type: "text/calendar; charset=utf-8", content: calendarOf(booking, order.offer, texts) };
  },
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
  const isAddress = URL.canParse(request.url, settings.publicUrl);
  const url = new URL(isAddress ? request.url : "/", settings.publicUrl);
  const {
    status,
    content = "",
    type = "text/html; charset=utf-8",
    location,
  } = await answerTo(request, url).catch((error) => {
    const kind = error instanceof OfferProblem ? error.kind : "unavailable";
    if (kind === "unavailable") log(`${request.method} failed: ${error.message}`);
    const texts = textsIn(languageOf(url.searchParams));
    return { status: STATUS[kind], content: problemPage(kind, texts, error.operator ?? seller) };
  });
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Security-Policy": POLICY,
    // The address holds the link.
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    ...(location && { Location: location }),
  });
  response.end(content);
});
server.listen(settings.port, "127.0.0.1", () => log(`checkout on http://127.0.0.1:${server.address().port}/book`));

async function answerTo(request, url) {
  const route = routes[`${request.method} ${url.pathname}`];
  if (!route) throw new OfferProblem("wrong");
  return route(request, url);
}

async function offerOf(link, request) {
  const offer = await resolveOffer(settings.serviceUrl, link, request.socket.remoteAddress);
  seller = offer.operator;
  return offer;
}

/** The words of an hour: a new release of the service may change them. */
async function textsFor(language, { translations } = {}) {
  const kept = words.get(language);
  if (!kept || Date.now() > kept.until) {
    words.set(language, { all: await wordsOf(settings.serviceUrl, language), until: Date.now() + 60 * 60_000 });
  }
  return textsIn(language, words.get(language).all, translations);
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
