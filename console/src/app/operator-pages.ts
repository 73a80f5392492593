// Which page of an operator stands at which address. Each page loads when it is opened.
import { lazy } from "react";
import { type Place, pageAt } from "./places.ts";

export const operatorPlaces: Place[] = [
  { address: /^\/$/, Component: lazy(() => import("../pages/operator/service/ServiceOverview.tsx")) },
  { address: /^\/dead-letters$/, Component: lazy(() => import("../pages/operator/dead-letters/DeadLetters.tsx")) },
  { address: /^\/sending$/, Component: lazy(() => import("../pages/operator/sending/Sending.tsx")) },
  { address: /^\/carriers$/, Component: lazy(() => import("../pages/operator/carriers/Carriers.tsx")) },
  {
    address: /^\/carriers\/(?<name>[^/]+)$/,
    Component: lazy(() => import("../pages/operator/carrier/CarrierPage.tsx")),
  },
  { address: /^\/lines$/, Component: lazy(() => import("../pages/operator/lines/Lines.tsx")) },
  { address: /^\/lines\/(?<number>[^/]+)$/, Component: lazy(() => import("../pages/operator/line/LinePage.tsx")) },
  { address: /^\/accounts$/, Component: lazy(() => import("../pages/operator/accounts/Accounts.tsx")) },
  {
    address: /^\/accounts\/(?<id>[^/]+)(?:\/(?<tab>messages|ledger|webhooks|settings|keys|members))?$/,
    Component: lazy(() => import("../pages/operator/account/AccountPage.tsx")),
  },
  { address: /^\/plans$/, Component: lazy(() => import("../pages/operator/plans/Plans.tsx")) },
  { address: /^\/plans\/(?<slug>[^/]+)$/, Component: lazy(() => import("../pages/operator/plans/PlanPage.tsx")) },
  { address: /^\/patterns$/, Component: lazy(() => import("../pages/operator/patterns/PendingPatterns.tsx")) },
  { address: /^\/credits$/, Component: lazy(() => import("../pages/operator/credits/Credits.tsx")) },
  { address: /^\/usage$/, Component: lazy(() => import("../pages/operator/usage/Usage.tsx")) },
  { address: /^\/audit$/, Component: lazy(() => import("../pages/operator/audit/Audit.tsx")) },
  {
    address: /^\/reconciliation$/,
    Component: lazy(() => import("../pages/operator/reconciliation/ReconciliationPage.tsx")),
  },
  { address: /^\/erasures$/, Component: lazy(() => import("../pages/operator/erasures/Erasures.tsx")) },
  { address: /^\/keys$/, Component: lazy(() => import("../pages/operator/keys/OperatorKeys.tsx")) },
  { address: /^\/members$/, Component: lazy(() => import("../pages/operator/members/OperatorMembers.tsx")) },
  { address: /^\/settings$/, Component: lazy(() => import("../pages/settings/SettingsPage.tsx")) },
];

export const operatorPageOf = (path: string) => pageAt(operatorPlaces, path);
