// Which page of a customer stands at which address. The overview is in the first view; each other page loads when it is opened.
import { lazy } from "react";
import { Overview } from "../pages/overview/Overview.tsx";
import { type Place, pageAt } from "./places.ts";

const places: Place[] = [
  { address: /^\/$/, Component: Overview },
  { address: /^\/messages$/, Component: lazy(() => import("../pages/messages/MessageList.tsx")) },
  { address: /^\/messages\/(?<uid>[^/]+)$/, Component: lazy(() => import("../pages/message/MessagePage.tsx")) },
  { address: /^\/campaigns$/, Component: lazy(() => import("../pages/campaigns/Campaigns.tsx")) },
  { address: /^\/campaigns\/new$/, Component: lazy(() => import("../pages/campaigns/NewCampaign.tsx")) },
  { address: /^\/campaigns\/(?<id>[\da-f-]+)$/, Component: lazy(() => import("../pages/campaign/CampaignPage.tsx")) },
  {
    address: /^\/campaigns\/(?<id>[\da-f-]+)\/copy$/,
    Component: lazy(() => import("../pages/campaign/CopyCampaign.tsx")),
  },
  {
    address: /^\/campaigns\/(?<id>[\da-f-]+)\/edit$/,
    Component: lazy(() => import("../pages/campaign/EditCampaign.tsx")),
  },
  { address: /^\/phonebooks$/, Component: lazy(() => import("../pages/phonebooks/Phonebooks.tsx")) },
  { address: /^\/phonebooks\/(?<id>[^/]+)$/, Component: lazy(() => import("../pages/phonebook/PhonebookPage.tsx")) },
  { address: /^\/phonebooks\/(?<id>[^/]+)\/import$/, Component: lazy(() => import("../pages/import/ImportPage.tsx")) },
  { address: /^\/compose$/, Component: lazy(() => import("../pages/compose/Compose.tsx")) },
  { address: /^\/wallet$/, Component: lazy(() => import("../pages/wallet/Wallet.tsx")) },
  { address: /^\/keys$/, Component: lazy(() => import("../pages/keys/Keys.tsx")) },
  { address: /^\/patterns$/, Component: lazy(() => import("../pages/patterns/Patterns.tsx")) },
  { address: /^\/patterns\/(?<slug>[^/]+)$/, Component: lazy(() => import("../pages/patterns/PatternPage.tsx")) },
  { address: /^\/inbound$/, Component: lazy(() => import("../pages/inbound/InboundPage.tsx")) },
  { address: /^\/inbound\/(?<sender>[^/]+)$/, Component: lazy(() => import("../pages/inbound/ConversationPage.tsx")) },
  { address: /^\/blacklist$/, Component: lazy(() => import("../pages/blacklist/Blacklist.tsx")) },
  { address: /^\/webhooks$/, Component: lazy(() => import("../pages/webhooks/Webhooks.tsx")) },
  { address: /^\/webhooks\/(?<id>[^/]+)$/, Component: lazy(() => import("../pages/webhooks/WebhookPage.tsx")) },
  { address: /^\/verify$/, Component: lazy(() => import("../pages/verifications/Verifications.tsx")) },
  { address: /^\/erasures$/, Component: lazy(() => import("../pages/erasures/Erasures.tsx")) },
  { address: /^\/members$/, Component: lazy(() => import("../pages/members/Members.tsx")) },
  { address: /^\/settings$/, Component: lazy(() => import("../pages/settings/SettingsPage.tsx")) },
];

export const pageOf = (path: string) => pageAt(places, path);
