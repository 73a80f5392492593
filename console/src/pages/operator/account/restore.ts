import { answer, client, type Schemas } from "../../../api/client.ts";
import { latinDigits } from "../../../parts/digits.ts";

export type Restored = Schemas["Restored"];

export async function restore(id: string, at: string, reason: string): Promise<Restored> {
  const params = { path: { id } };
  return (await answer(client.POST("/admin/accounts/{id}/restore", { params, body: { at, reason } }))).data;
}

/** A time of a day in the person's time zone, such as `14:30`, as the API takes it. `null`: it is none. */
export function momentOf(day: string | null, time: string): string | null {
  const moment = new Date(`${day}T${latinDigits(time).trim().padStart(5, "0")}`);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
