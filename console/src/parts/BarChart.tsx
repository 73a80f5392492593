import { useId } from "react";
import { useSettings } from "../base/settings.ts";

export type Series = { name: string; className: string };
export type Bar = { label: string; values: number[] };

type Props = {
  title: string;
  series: Series[];
  bars: Bar[];
  /** How a value is written on the axis, and what the whole is for who does not see it. */
  write: (value: number) => string;
  summary: string;
  /** What stands beside the title if there is no legend. */
  note?: string;
};

const width = 480;
const height = 170;
const room = { top: 10, bottom: 26, axis: 64, end: 24 };
/** How broad a letter of the axis is at most, on a phone. */
const letter = 8;
/** Few bars are no broader than this. */
const widest = 36;
const ticks = 4;
const labels = 5;

/** Stacked bars, one a day. In Persian the days run from right to left, as the language does. */
export function BarChart({ title, series, bars, write, summary, note }: Props) {
  const id = useId();
  const isRightToLeft = useSettings().language === "fa";
  const top = niceTop(Math.max(1, ...bars.map(({ values }) => sum(values))));
  const longest = Math.max(...marks(top).map((value) => write(value).length));
  const axis = Math.max(room.axis, 12 + longest * letter);
  const step = (width - axis - room.end) / bars.length;
  const bar = Math.min(step * 0.7, widest);
  const plot = height - room.top - room.bottom;
  const along = (place: number, wide = 0) => (isRightToLeft ? width - place - wide : place);
  const yOf = (value: number) => room.top + plot * (1 - value / top);
  const every = Math.ceil(bars.length / labels);
  return (
    <figure className="chart">
      <figcaption id={id}>
        <h3>{title}</h3>
        {note && <span className="faint">{note}</span>}
        {series.length > 1 && (
          <ul className="legend">
            {series.map(({ name, className }) => (
              <li key={name}>
                <span className={`swatch ${className}`} />
                {name}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary} direction={isRightToLeft ? "rtl" : "ltr"}>
        {marks(top).map((value) => (
          <g key={value} className="mark">
            <line x1={along(axis)} x2={along(width)} y1={yOf(value)} y2={yOf(value)} />
            <text x={along(axis - 6)} y={yOf(value) + 4} textAnchor="end">
              {write(value)}
            </text>
          </g>
        ))}
        {bars.map(({ label, values }, index) => (
          <g key={label}>
            {stacked(values).map(({ from, to }, place) => (
              <rect
                key={series[place]?.name}
                className={series[place]?.className}
                x={along(axis + (index + 0.5) * step - bar / 2, bar)}
                width={bar}
                y={yOf(to)}
                height={yOf(from) - yOf(to)}
              />
            ))}
            {(bars.length - 1 - index) % every === 0 && (
              <text className="tick" x={along(axis + (index + 0.5) * step)} y={height - 6} textAnchor="middle">
                {label}
              </text>
            )}
          </g>
        ))}
      </svg>
    </figure>
  );
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

const stacked = (values: number[]) =>
  values.map((value, index) => {
    const from = sum(values.slice(0, index));
    return { from, to: from + value };
  });

const marks = (top: number) => Array.from({ length: ticks + 1 }, (_, index) => (top / ticks) * index);

const factors = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8];

/** The smallest round number that is not below a value, and that the marks divide into whole numbers. */
function niceTop(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const tops = [unit, 10 * unit].flatMap((size) => factors.map((factor) => Math.round(factor * size)));
  return tops.find((top) => top >= value && top % ticks === 0) ?? 10 * unit;
}
