/** Connects to the host before it loads the card, whose language depends on the host's locale. */

import { connectHost } from "./host.js";
import { applyHostContext, watchHeight } from "./host-context.js";
import { unpack } from "./unpack.js";

const CONNECT_MILLISECONDS = 10_000;

const host = connectHost(window.parent);
const answer = await host
  .request(
    "ui/initialize",
    {
      protocolVersion: "2026-01-26",
      appInfo: { name: "transfer-quote-card", version: "1" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    },
    CONNECT_MILLISECONDS,
  )
  .catch(() => undefined);
const { hostContext = {}, hostCapabilities = {} } = answer ?? {};
if (hostContext.locale) document.documentElement.dataset.locale = hostContext.locale;
applyHostContext(hostContext);
await Promise.all([unpack("catalog"), unpack("texts")]);
const { createCard } = await import("./card.js");
const card = createCard(host, hostCapabilities, hostContext);
if (answer) {
  host.on("ui/notifications/host-context-changed", (context) => {
    applyHostContext(context);
    if (context.displayMode) card.showMode(context.displayMode);
  });
  host.on("ui/notifications/tool-input", (params) => card.showRequest(params.arguments ?? {}));
  host.on("ui/notifications/tool-result", card.showResult);
  host.on("ui/notifications/tool-cancelled", () => card.showProblem("canceled"));
  host.on("ui/resource-teardown", card.stop);
  host.notify("ui/notifications/initialized");
  watchHeight(document.getElementById("card"), (height) => host.notify("ui/notifications/size-changed", { height }));
} else {
  card.showProblem("not_connected");
}
