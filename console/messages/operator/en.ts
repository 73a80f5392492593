// The texts of operators' pages in English. `fa.ts` has the same names. What customers see too is in the common texts.
import type { Widen } from "../en.ts";

export const en = {
  groups: { service: "Service", customers: "Customers", records: "Records", operators: "Operators" },
  pages: {
    overview: "Overview of the service",
    carriers: "Carriers",
    lines: "Lines",
    deadLetters: "Dead letters",
    sending: "Sending switch",
    accounts: "Accounts",
    plans: "Plans",
    patterns: "Patterns to approve",
    credits: "Credits to approve",
    usage: "Usage",
    audit: "Audit log",
    reconciliation: "Reconciliation",
    erasures: "Erasures",
    keys: "Operators' keys",
  },
  accounts: {
    none: "No accounts yet",
    list: "Accounts",
    username: "Username",
    fullName: "Name",
    balance: "Balance",
    state: "State",
    states: { ACTIVE: "active", INACTIVE: "inactive" },
  },
};

export type OperatorMessages = Widen<typeof en>;
