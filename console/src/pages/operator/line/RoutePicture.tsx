import { useCallback, useRef, useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useSettings } from "../../../base/settings.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { carrierTones } from "../carriers/CarrierBadge.tsx";
import { type Area, type Layout, layoutOf, type PlacedRoute, type PlacedShare, wayOf } from "./layout.ts";

export type States = ReadonlyMap<string, Schemas["CarrierHealth"]["state"]>;
type Props = { number: string; routes: Schemas["Route"][]; states: States };

/** So many letters of prefixes have room in a box; the prefixes behind them are counted. */
const room = 18;

function fitting(prefixes: string[]): number {
  const lengths = prefixes.map((_, index) => prefixes.slice(0, index + 1).join(", ").length);
  return prefixes.join(", ").length <= room + 4
    ? prefixes.length
    : Math.max(1, lengths.filter((one) => one <= room - 6).length);
}

/** The routes of a line as a picture: from the line to the numbers, and from them to the carriers. */
export function RoutePicture({ number, routes, states }: Props) {
  const { o, format } = useOperatorTexts();
  const [watch, width] = useWidth();
  const layout = layoutOf(routes, width);
  return (
    <div ref={watch} className="route-picture">
      {width > 0 && (
        <Drawing
          layout={layout}
          number={format.digits(number)}
          states={states}
          summary={o.routes.picture(`\u2068${number}\u2069`, format.number(routes.length))}
        />
      )}
    </div>
  );
}

type DrawingProps = { layout: Layout; number: string; states: States; summary: string };

function Drawing({ layout, number, states, summary }: DrawingProps) {
  const o = useOperatorMessages();
  const isRightToLeft = useSettings().language === "fa";
  const { width, height, line, routes } = layout;
  const flip = (x: number) => (isRightToLeft ? width - x : x);
  return (
    <svg
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      width={width}
      height={height}
      role="img"
      aria-label={summary}
      direction={isRightToLeft ? "rtl" : "ltr"}
    >
      {routes.map((route) => (
        <g key={`${route.area.y}`}>
          <path className="way" d={wayOf(line, route.area, layout.isTree, flip)} strokeWidth={2} />
          {route.shares.map((share) => (
            <path
              key={share.area.y}
              className={classOf("way", share, states)}
              d={wayOf(route.area, share.area, layout.isTree, flip)}
              strokeWidth={share.isBackup ? 2 : 1.5 + 3.5 * share.share}
            />
          ))}
        </g>
      ))}
      <Box area={line} flip={flip} name="line" title={number} note={o.routes.line} />
      {routes.map((route) => (
        <RouteBox key={route.area.y} route={route} states={states} flip={flip} />
      ))}
    </svg>
  );
}

const stateOf = (states: States, name: string) => states.get(name) ?? "UNKNOWN";

const classOf = (name: string, { name: carrier, isBackup }: PlacedShare, states: States) =>
  [name, carrierTones[stateOf(states, carrier)], isBackup && "backup"].filter(Boolean).join(" ");

type Flip = (x: number) => number;

function RouteBox({ route, states, flip }: { route: PlacedRoute; states: States; flip: Flip }) {
  const { o, format } = useOperatorTexts();
  const { prefixes, shares } = route;
  const count = fitting(prefixes);
  const more = prefixes.length - count;
  const shown = prefixes.slice(0, count).map(format.digits).join(o.comma);
  const title = prefixes.length === 0 ? o.routes.rest : more > 0 ? o.routes.more(shown, format.number(more)) : shown;
  return (
    <>
      <Box
        area={route.area}
        flip={flip}
        name="numbers"
        title={title}
        note={prefixes.length === 0 ? o.routes.restNote : o.routes.begin}
      />
      {shares.map((share) => (
        <Box
          key={share.area.y}
          area={share.area}
          flip={flip}
          name={classOf("carrier", share, states)}
          title={share.name}
          note={o.routes.share(
            o.carrierStates[stateOf(states, share.name)],
            share.isBackup ? o.routes.asBackup : format.percent(share.share),
          )}
        />
      ))}
    </>
  );
}

type BoxProps = { area: Area; flip: Flip; name: string; title: string; note: string };

function Box({ area: { x, y, width, height }, flip, name, title, note }: BoxProps) {
  const left = Math.min(flip(x), flip(x + width));
  const text = flip(x + 16);
  return (
    <g className={name}>
      <rect x={left} y={y} width={width} height={height} rx={6} />
      {name.startsWith("carrier") && (
        <rect className="stripe" x={Math.min(flip(x), flip(x + 6))} y={y} width={6} height={height} rx={3} />
      )}
      <text className="title" x={text} y={y + 20}>
        {title}
      </text>
      <text x={text} y={y + 38}>
        {note}
      </text>
    </g>
  );
}

/** How wide an element is, also after the window has changed. */
function useWidth(): [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(0);
  const observer = useRef<ResizeObserver | null>(null);
  const watch = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (!element) return;
    observer.current = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.current.observe(element);
  }, []);
  return [watch, width];
}
