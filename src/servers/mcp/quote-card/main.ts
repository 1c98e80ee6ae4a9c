/** Connects to the host before it loads the card, whose language depends on the host's locale. */
import { byId, stopCountDown } from "../../../service/checkout/page/elements.ts";
import { type Capabilities, connectHost, type HostContext, type ToolResult } from "./host.ts";

const CONNECT_MILLISECONDS = 10_000;

const host = connectHost(window.parent);
const own = {
  protocolVersion: "2026-01-26",
  appInfo: { name: "transfer-quote-card", version: "1" },
  appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
};
const answer = await host.request("ui/initialize", own, CONNECT_MILLISECONDS).catch(() => undefined);
const { hostContext = {}, hostCapabilities = {} } = (answer ?? {}) as {
  readonly hostContext?: HostContext;
  readonly hostCapabilities?: Capabilities;
};
if (hostContext.locale) document.documentElement.dataset.locale = hostContext.locale;
applyHostContext(hostContext);
await Promise.all([unpack("catalog"), unpack("texts")]);
const { createCard } = await import("./card.ts");
const card = createCard(host, hostCapabilities, hostContext);
if (answer) {
  host.on("ui/notifications/host-context-changed", (context: HostContext) => {
    applyHostContext(context);
    if (context.displayMode) card.showMode(context.displayMode);
  });
  host.on("ui/notifications/tool-input", (params) => card.showRequest(params.arguments ?? {}));
  host.on("ui/notifications/tool-result", (params: ToolResult) => card.showResult(params));
  host.on("ui/notifications/tool-cancelled", () => card.showProblem("canceled"));
  host.on("ui/resource-teardown", stopCountDown);
  host.notify("ui/notifications/initialized");
  watchHeight();
} else {
  card.showProblem("not_connected");
}

function applyHostContext({ theme, styles, safeAreaInsets: insets }: HostContext): void {
  const { style } = document.documentElement;
  if (theme === "light" || theme === "dark") style.colorScheme = theme;
  // Does not load the host's fonts, since the card makes no network requests.
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--") && typeof value === "string") style.setProperty(name, value);
  }
  for (const [side, pixels] of Object.entries(insets ?? {})) style.setProperty(`--inset-${side}`, `${pixels}px`);
}

/** Tells the host the height of the card, now and whenever it changes. */
function watchHeight(): void {
  const shown = byId("card");
  let last: number | undefined;
  new ResizeObserver(() => {
    const height = Math.ceil(shown.getBoundingClientRect().height);
    if (height !== last) host.notify("ui/notifications/size-changed", { height });
    last = height;
  }).observe(shown);
}

/** Replaces the content of an element by its text: it is compressed, because hosts load the card with every chat. */
async function unpack(id: string): Promise<void> {
  const element = byId(id);
  const bytes = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  element.textContent = await new Response(stream).text();
}
