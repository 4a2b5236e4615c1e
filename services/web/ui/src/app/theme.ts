import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

import i18n from "./i18n";

const lake: MantineColorsTuple = [
  "#eef8f9",
  "#dceef0",
  "#b5dde1",
  "#8acad1",
  "#65b9c3",
  "#43a2ae",
  "#1f8593",
  "#0b7285",
  "#075c6c",
  "#054652",
];

/** Calm: one colour, generous space, no shadows where a border will do. Red is kept for what cannot be undone. */
export const theme = createTheme({
  primaryColor: "lake",
  // The same in the dark: Mantine chooses white or black on it by the light one, and white on 6 has 4.3:1 only.
  primaryShade: 7,
  autoContrast: true,
  // Where black and white are as legible as each other (4.58:1): the better one is always enough (WCAG 1.4.3).
  luminanceThreshold: 0.179,
  colors: { lake },
  defaultRadius: "md",
  respectReducedMotion: true,
  cursorType: "pointer",
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
  headings: {
    fontWeight: "620",
    sizes: { h1: { fontSize: "1.5rem" }, h2: { fontSize: "1.15rem" }, h3: { fontSize: "1rem" } },
  },
  components: {
    // A pointer needs 24 px at least (WCAG 2.5.8); these are Mantine's small controls that had less.
    CloseButton: { defaultProps: { size: "md" } },
    // Every message can be closed, by a button that says so (WCAG 4.1.2).
    Notification: { defaultProps: () => ({ closeButtonProps: { "aria-label": i18n.t("close") } }) },
    // The first item is focused at once: an element that is no item may not stand in a menu (WAI-ARIA 1.2, menu).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // A dialog's header is none of the page's: as a landmark it would be a second banner.
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        attributes: { header: { role: "presentation" } },
      },
      styles: { title: { fontWeight: 620, fontSize: "1.15rem", lineHeight: 1.35 } },
    },
    Drawer: {
      defaultProps: { attributes: { header: { role: "presentation" } } },
      styles: { title: { fontWeight: 620, fontSize: "1.15rem", lineHeight: 1.35 } },
    },
  },
});

/** Mantine's dimmed text and lines, darkened or lightened until they pass 4.5:1 on our backgrounds (WCAG 1.4.3). */
export const contrasts: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#55606a",
    "--mantine-color-placeholder": "#626d77",
    "--mantine-color-error": "#b3261e",
    "--page-background": "#f7f9fa",
    "--card-background": "#ffffff",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b2ba",
    "--mantine-color-placeholder": "#98a2ab",
    "--mantine-color-error": "#ff9d94",
    "--page-background": "#15181b",
    "--card-background": "#1e2226",
  },
});
