import type { Schemas } from "../../../api/client.ts";

const usual = { smpp: { binds: 1, window: 50 }, http: { objects: 1, window: 6 } };

/** How much may wait for answers at once in all sessions, or in all objects of a gateway. The sandbox has no such room. */
export function roomOf(carrier: Schemas["Carrier"]): number | null {
  if (carrier.kind === "smpp")
    return (carrier.smpp.binds ?? usual.smpp.binds) * (carrier.smpp.window ?? usual.smpp.window);
  if (carrier.kind === "http")
    return (carrier.http.objects ?? usual.http.objects) * (carrier.http.window ?? usual.http.window);
  return null;
}
