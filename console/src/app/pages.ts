// Which page stands at which address. The overview is in the first view; each other page loads when it is opened.
import { type ComponentType, lazy } from "react";
import { Overview } from "../pages/overview/Overview.tsx";

// biome-ignore lint/suspicious/noExplicitAny: a page has the parameters that its own address names.
type Page = ComponentType<any>;
type Place = { address: RegExp; Component: Page };

const places: Place[] = [
  { address: /^\/$/, Component: Overview },
  { address: /^\/messages$/, Component: lazy(() => import("../pages/messages/MessageList.tsx")) },
  { address: /^\/messages\/(?<uid>[^/]+)$/, Component: lazy(() => import("../pages/message/MessagePage.tsx")) },
  { address: /^\/compose$/, Component: lazy(() => import("../pages/compose/Compose.tsx")) },
  { address: /^\/wallet$/, Component: lazy(() => import("../pages/wallet/Wallet.tsx")) },
  { address: /^\/keys$/, Component: lazy(() => import("../pages/keys/Keys.tsx")) },
  { address: /^\/settings$/, Component: lazy(() => import("../pages/settings/SettingsPage.tsx")) },
];

export function pageOf(path: string): { Component: Page; params: Record<string, string> } | null {
  for (const { address, Component } of places) {
    const match = address.exec(path);
    if (match) return { Component, params: { ...match.groups } };
  }
  return null;
}
