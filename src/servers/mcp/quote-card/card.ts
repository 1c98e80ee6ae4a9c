/** The card: shows the request while it is being priced, then the view of the offer, its approval, expiry or failure. */

import { classNames } from "../../../contract/notice-formats.ts";
import {
  announce,
  byId,
  countDown,
  drawn,
  element,
  listItems,
  stopCountDown,
  timeline,
} from "../../../service/checkout/page/elements.ts";
import type { Offer } from "../../../service/checkout/view/offer.ts";
import { type OfferView, offerView, timeLeft } from "../../../service/checkout/view/offer-view.ts";
import {
  type CardKey,
  createWords,
  DOT,
  type Language,
  type LanguageFile,
} from "../../../service/checkout/view/words.ts";
import { createApproval } from "./approval.ts";
import { failureOf, type PlaceRequest, type Problem } from "./failure.ts";
import { type Capabilities, contentOf, type Host, type HostContext, type ToolResult } from "./host.ts";
import { isConfirmedByHand, type Option, vehicleItem } from "./options.ts";
import { showView, write } from "./views.ts";

/** What the server writes into the page. */
interface CardCatalog {
  /** Those of the operator, the first where the reader prefers none of them. */
  readonly languages: readonly [Language, ...Language[]];
  readonly translations: Readonly<Record<string, Readonly<Partial<Record<Language, string>>>>>;
  readonly vehicleTypes: Readonly<Record<string, string>>;
  readonly operator: { readonly name: string; readonly phone: string; readonly color?: string; readonly logo?: string };
}

export interface Quote extends Offer {
  readonly status?: string;
  readonly options?: readonly Option[];
  readonly requires_manual_confirmation?: boolean;
}

type Kind = "expired" | "canceled" | "not_connected" | "unreadable" | "failed";

const SHOWN_VEHICLES = 3;
/** Beside the reasons why none can be booked at once. */
const SHOWN_MANUAL = 2;

export function createCard(
  host: Host,
  capabilities: Capabilities,
  { availableDisplayModes = [], displayMode }: HostContext,
) {
  const words = cardWords();
  const { operator } = catalog;
  const approval = createApproval(host, capabilities, words, { onExpired: () => showProblem("expired") });
  /** The arguments of the call, which the assistant wrote. */
  let request: PlaceRequest = {};
  // The host determines all other colors.
  if (operator.color) document.documentElement.style.setProperty("--brand", operator.color);
  document.documentElement.classList.toggle("branded", Boolean(operator.color));
  document.documentElement.lang = words.language;
  for (const each of document.querySelectorAll<HTMLElement>("[data-text], [data-label]")) {
    const { text, label } = each.dataset;
    if (text) each.textContent = words.known(text) ?? "";
    if (label) each.ariaLabel = words.known(label) ?? "";
  }
  byId("more").addEventListener("click", showAll);
  byId("full").addEventListener("click", () =>
    host.request("ui/request-display-mode", { mode: "fullscreen" }).then(
      ({ mode }) => showMode(mode),
      () => {},
    ),
  );
  showMode(displayMode);
  announce(words.text("pricing"));

  return { showRequest, showResult, showProblem, showMode };

  /** On the full screen everything is open. */
  function showMode(mode: unknown = "inline"): void {
    const isFull = mode === "fullscreen";
    document.documentElement.classList.toggle("full", isFull);
    byId("full").hidden = isFull || !availableDisplayModes.includes("fullscreen");
    byId("conditions").toggleAttribute("open", isFull);
    if (isFull) showAll();
  }

  function showRequest(written: PlaceRequest): void {
    request = written;
    const { origin, destination = origin } = written;
    if (typeof origin !== "string" || typeof destination !== "string") return;
    showHead(offerView({ passengers: 0, origin, destination }, words));
  }

  function showResult(result: ToolResult): void {
    stopCountDown();
    try {
      const content = contentOf(result) as Quote & Problem;
      if (result.isError) return showFailure(content);
      // Some hosts do not pass `_meta` on.
      const notices = content.limitations?.map((text) => ({ text }));
      showOffer({ operator, ...content, notices, ...result._meta } as Quote);
    } catch {
      showProblem("unreadable");
    }
  }

  function showOffer(quote: Quote): void {
    const view = offerView(quote, words);
    const { options = [], status } = quote;
    showHead(view);
    const until = quote.free_cancellation_until;
    const trip: readonly (string | Node)[][] = [
      [element("strong", "when", view.head.when)],
      drawn(view.head.party),
      ...view.head.connections.map((text) => [text]),
      ...(until ? [[words.text("cancel_until", { time: words.shortMoment(until) })]] : []),
    ];
    write("trip", ...trip.map((line) => element("span", "line", ...line)));
    if (status === "expired") return showProblem("expired");
    showConditions(view);
    const isManual = quote.requires_manual_confirmation === true;
    const shown = isManual ? SHOWN_MANUAL : SHOWN_VEHICLES;
    const vehicles = sorted(options).map((option) =>
      vehicleItem(option, words, {
        onChoose: status === "open" ? () => approval.ask(quote, option, view) : undefined,
        isMarked: !isManual,
      }),
    );
    for (const vehicle of vehicles.slice(shown)) vehicle.hidden = true;
    write("reasons", ...(isManual ? listItems(view.reasons) : []));
    write("options", ...vehicles);
    byId("more").textContent = words.text("more", { count: vehicles.length - shown });
    byId("more").hidden = vehicles.length <= shown;
    if (document.documentElement.classList.contains("full")) showAll();
    showView("offer");
    byId("terms").hidden = options.length === 0;
    if (options.length === 0) return announce(words.text("no_options"));
    announce("");
    byId("seller").replaceChildren(...logo(), [operator.name, view.price.note].join(DOT));
    // Such an offer cannot be paid online: the reasons above say whom to call.
    if (isManual) return showValidity("");
    if (status === "estimate") return showValidity([words.text("estimate"), words.text("estimate_rest")].join(DOT));
    // By the device's clock, since the card gets no server time. The server decides whether a quote has expired.
    countDown(Date.parse(quote.expires_at ?? ""), Date.now, showTimeLeft);
  }

  function showHead({ head }: OfferView): void {
    const arrow = element("span", "arrow", head.isBothWays ? "⇄" : "→");
    Object.assign(arrow, { role: "img", ariaLabel: words.text("to") });
    const [from = "", to] = head.ends.map((name) => element("bdi", "", name));
    byId("route").replaceChildren(head.hire && head.hire + DOT, from, ...(to ? [" ", arrow, " ", to] : []));
  }

  function showConditions(view: OfferView): void {
    write("banner", ...listItems(view.banner));
    write("decisive", ...listItems(view.decisive));
    write("journey", ...timeline(view.directions));
    write("notes", ...listItems([...view.promises.map(({ text }) => text), ...view.price.included, ...view.notes]));
  }

  function showValidity(text: string, isSoon = false): void {
    byId("left").textContent = text;
    byId("left").role = isSoon ? "timer" : null;
    byId("left").classList.toggle("soon", isSoon);
  }

  function showAll(): void {
    const hidden = byId("options").querySelectorAll<HTMLElement>("[hidden]");
    for (const vehicle of hidden) vehicle.hidden = false;
    const hadFocus = document.activeElement === byId("more");
    byId("more").hidden = true;
    if (hadFocus) hidden[0]?.querySelector("button")?.focus();
  }

  function showTimeLeft(seconds: number): void {
    if (seconds === 0) return showProblem("expired");
    const { held, announced } = timeLeft(seconds, words);
    showValidity(held, announced !== undefined);
    if (announced) announce(announced);
  }

  /** Candidates are buttons where the host takes messages, otherwise a list: the assistant asks. */
  function showFailure(problem: Problem): void {
    const { candidates, ...said } = failureOf(problem, request, words);
    showProblem("failed", said);
    const shownAs = capabilities.message ? candidateButton : (each: string) => element("p", "candidate", each);
    write("candidates", ...candidates.map(shownAs));
  }

  /** Sends the traveler's choice to the assistant as a message, so that it requests a price again. */
  function candidateButton(text: string): HTMLElement {
    const button = element("button", "", text);
    button.type = "button";
    button.addEventListener("click", () =>
      host.request("ui/message", { role: "user", content: [{ type: "text", text }] }).catch(() => {}),
    );
    return button;
  }

  function showProblem(kind: Kind, own?: { readonly title: string; readonly text: string }): void {
    const { title, text } = own ?? { title: words.text(`${kind}_title`), text: words.text(`${kind}_text`) };
    stopCountDown();
    approval.close();
    for (const id of ["terms", "candidates"]) byId(id).hidden = true;
    announce("");
    byId("problem-title").textContent = title;
    byId("problem-text").textContent = text;
    showView("problem");
  }

  function logo(): HTMLElement[] {
    if (!operator.logo) return [];
    const image = Object.assign(element("img", "logo"), { src: operator.logo, alt: "" });
    // Some hosts block pictures.
    image.addEventListener("error", () => image.remove());
    return [image];
  }
}

const catalog: CardCatalog = JSON.parse(byId("catalog").textContent);

/** The words of the first language that is preferred, by the host and then by the browser, and that the operator has. */
function cardWords() {
  const files: Readonly<Record<string, LanguageFile>> = JSON.parse(byId("texts").textContent);
  const preferred = [document.documentElement.dataset.locale ?? "", ...navigator.languages].map((tag) =>
    tag.slice(0, 2),
  );
  const { languages } = catalog;
  const language = preferred.find((tag): tag is Language => languages.some((each) => each === tag)) ?? languages[0];
  const { view = {}, card = {}, notices = {} } = files[language] ?? {};
  const translate = (text: string) =>
    Object.hasOwn(catalog.translations, text) ? catalog.translations[text]?.[language] : undefined;
  // Notices name classes by id.
  const types = Object.entries(catalog.vehicleTypes).map(([id, type]) => ({ id, type: translate(type) ?? type }));
  return createWords<CardKey>(language, { ...view, ...card }, notices, translate, classNames(types));
}

/** Options that can be paid online first, by ascending price. */
function sorted(options: readonly Option[]): readonly Option[] {
  const rank = (option: Option) => Number(isConfirmedByHand(option));
  return [...options].sort((a, b) => rank(a) - rank(b) || a.total_price - b.total_price);
}
