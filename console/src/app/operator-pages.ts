// Which page of an operator stands at which address. Each page loads when it is opened.
import { lazy } from "react";
import { type Place, pageAt } from "./places.ts";

const Accounts = lazy(() => import("../pages/operator/accounts/Accounts.tsx"));

const places: Place[] = [
  { address: /^\/(?:accounts)?$/, Component: Accounts },
  { address: /^\/settings$/, Component: lazy(() => import("../pages/settings/SettingsPage.tsx")) },
];

export const operatorPageOf = (path: string) => pageAt(places, path);
