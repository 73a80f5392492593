// Where each box of the picture of a line's routes stands. A narrow window has them under each other, as a tree.
import type { Schemas } from "../../../api/client.ts";

type Route = Schemas["Route"];

export type Area = { x: number; y: number; width: number; height: number };
export type Point = { x: number; y: number };
export type PlacedShare = { area: Area; name: string; share: number; isBackup: boolean };
export type PlacedRoute = { area: Area; prefixes: string[]; shares: PlacedShare[] };
export type Layout = { width: number; height: number; isTree: boolean; line: Area; routes: PlacedRoute[] };

const box = 48;
const gaps = { share: 10, route: 26, indent: 26 };
const columns = { line: 130, route: 220, share: 220 };
/** Below it, three columns beside each other have no room. */
const least = 660;

type Share = { name: string; share: number; isBackup: boolean };

function sharesOf({ carriers, backup }: Route): Share[] {
  const part = (list: Route["carriers"], isBackup: boolean) => {
    const all = list.reduce((sum, { weight }) => sum + weight, 0);
    return list.map(({ name, weight }) => ({ name, share: all > 0 ? weight / all : 0, isBackup }));
  };
  return [...part(carriers, false), ...part(backup, true)];
}

export const layoutOf = (routes: Route[], width: number): Layout =>
  width < least ? treeOf(routes, width) : columnsOf(routes, width);

function columnsOf(routes: Route[], width: number): Layout {
  const between = (width - columns.line - columns.route - columns.share) / 2;
  let y = 0;
  const placed = routes.map((route) => {
    const shares = sharesOf(route);
    const height = Math.max(1, shares.length) * (box + gaps.share) - gaps.share;
    const top = y;
    y += height + gaps.route;
    const share = (index: number): Area => ({
      x: width - columns.share,
      y: top + index * (box + gaps.share),
      width: columns.share,
      height: box,
    });
    return {
      area: { x: columns.line + between, y: top + (height - box) / 2, width: columns.route, height: box },
      prefixes: route.prefixes,
      shares: shares.map((one, index) => ({ ...one, area: share(index) })),
    };
  });
  const height = Math.max(box, y - gaps.route);
  const line = { x: 0, y: (height - box) / 2, width: columns.line, height: box };
  return { width, height, isTree: false, line, routes: placed };
}

function treeOf(routes: Route[], width: number): Layout {
  const line = { x: 0, y: 0, width: Math.min(width, 160), height: box };
  let y = box + gaps.share;
  const next = (level: number): Area => {
    const area = { x: level * gaps.indent, y, width: width - level * gaps.indent, height: box };
    y += box + gaps.share;
    return area;
  };
  const placed = routes.map((route) => ({
    area: next(1),
    prefixes: route.prefixes,
    shares: sharesOf(route).map((one) => ({ ...one, area: next(2) })),
  }));
  return { width, height: y - gaps.share, isTree: true, line, routes: placed };
}

/** The way from one box to another, as the `d` of a path. `flip` turns places around in languages from right to left. */
export function wayOf(from: Area, to: Area, isTree: boolean, flip: (x: number) => number): string {
  const end = { x: flip(to.x), y: to.y + to.height / 2 };
  if (isTree) return `M${flip(from.x + 12)} ${from.y + from.height}V${end.y}H${end.x}`;
  const begin = { x: flip(from.x + from.width), y: from.y + from.height / 2 };
  const middle = (begin.x + end.x) / 2;
  return `M${begin.x} ${begin.y}C${middle} ${begin.y} ${middle} ${end.y} ${end.x} ${end.y}`;
}
