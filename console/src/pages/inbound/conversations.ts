// Messages from phones as conversations.
import type { Schemas } from "../../api/client.ts";
import { isErased } from "../../parts/erased.ts";

type Inbound = Schemas["InboundMessage"];

export type Conversation = { from: string; newest: Inbound; count: number; optOut: boolean };

/**
 * One for each sender, in the order of their newest messages. The messages come with the newest first. Whose number was erased is not
 * known any more: each of their messages stands alone.
 */
export function conversationsOf(messages: Inbound[]): Conversation[] {
  const found = new Map<string, Conversation>();
  for (const message of messages) {
    const { id, from, optOut } = message;
    const sender = isErased(from) ? id : from;
    const known = found.get(sender);
    if (known) known.count += 1;
    else found.set(sender, { from, newest: message, count: 1, optOut });
  }
  return [...found.values()];
}

/** Phones have a number that can be answered. A bank's name or a short number has none. */
export const isNumber = (from: string) => from.startsWith("+");

export type Entry = { time: string } & ({ received: Inbound } | { sent: Schemas["Message"] });

export type Side<Item> = { items: Item[]; hasMore: boolean };

const timeOfSent = (sent: Schemas["Message"]) => sent.sendAt ?? sent.createdAt;

/**
 * What has come and what was sent, the oldest first. Each side is read page by page: what is older than a side has been read to
 * is left out, or something would be missing in between.
 */
export function entriesOf(received: Side<Inbound>, sent: Side<Schemas["Message"]>): Entry[] {
  const entries: Entry[] = [
    ...received.items.map((message) => ({ time: message.receivedAt, received: message })),
    ...sent.items.map((message) => ({ time: timeOfSent(message), sent: message })),
  ];
  const ends = [
    received.hasMore ? received.items.at(-1)?.receivedAt : undefined,
    sent.hasMore ? sent.items.at(-1)?.createdAt : undefined,
  ];
  const end = ends.reduce<string>((latest, time) => (time && time > latest ? time : latest), "");
  return entries.filter(({ time }) => time >= end).toSorted((a, b) => a.time.localeCompare(b.time));
}

/** The address of a conversation. A sender may be a name with any sign in it. */
export const pathOf = (from: string) => `/inbound/${encodeURIComponent(from)}`;

export function senderOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
