/** Appearance and size of the card in its host. */

/** Applies the fields that are present: later contexts contain only what has changed. */
export function applyHostContext({ theme, styles, safeAreaInsets: insets }) {
  const { style } = document.documentElement;
  if (theme === "light" || theme === "dark") style.colorScheme = theme;
  // Does not load the host's fonts, since the card makes no network requests.
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--") && typeof value === "string") style.setProperty(name, value);
  }
  for (const [side, pixels] of Object.entries(insets ?? {})) style.setProperty(`--inset-${side}`, `${pixels}px`);
}

/** Calls `onHeight` with the height of the card, now and whenever it changes. */
export function watchHeight(element, onHeight) {
  let last;
  new ResizeObserver(() => {
    const height = Math.ceil(element.getBoundingClientRect().height);
    if (height !== last) onHeight(height);
    last = height;
  }).observe(element);
}
