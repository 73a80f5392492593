// Shows the schemas of the OpenAPI document: the members of a body, each with its type, its limits and what it means.
import { escaped, inline } from "./html.mjs";
import { translated } from "./persian.mjs";
import { texts } from "./texts.mjs";

/** Schemas may name each other. Deeper ones are not shown. */
const deepest = 5;

export class Schemas {
  constructor(api, language) {
    this.api = api;
    this.language = language;
    this.text = texts[language];
  }

  /** Follows references. */
  resolve(value) {
    if (!value?.$ref) return value;
    const target = value.$ref
      .slice(2)
      .split("/")
      .reduce((object, name) => object[name], this.api);
    const { $ref, ...own } = value;
    return this.resolve({ ...target, ...own });
  }

  /** A description. On a Persian page, one that has no translation is marked as English. */
  about(text) {
    if (!text) return "";
    const [words, tag] = translated(text, this.language);
    const mark = tag === this.language ? "" : ` lang="${tag}" dir="ltr"`;
    return `<p${mark}>${inline(words)}</p>`;
  }

  /** The members of an object or of the items of a list, as a list; "" if there are none. */
  members(schema, depth = 0) {
    const whole = this.resolve(schema);
    if (depth >= deepest || !whole) return "";
    const parts = (whole.oneOf ?? whole.anyOf ?? []).map((part) => this.members(part, depth)).filter(Boolean);
    if (whole.items) parts.push(this.members(whole.items, depth));
    const rows = Object.entries(whole.properties ?? {}).map(([name, member]) =>
      this.member(name, member, whole, depth),
    );
    if (typeof whole.additionalProperties === "object")
      rows.push(this.row(`<em>${this.text.anyMember}</em>`, whole.additionalProperties, false, depth));
    if (rows.length > 0) parts.unshift(`<ul class="members">${rows.join("")}</ul>`);
    return parts.join("");
  }

  member(name, member, whole, depth) {
    return this.row(`<code>${escaped(name)}</code>`, member, whole.required?.includes(name), depth);
  }

  row(name, member, isRequired, depth) {
    const whole = this.resolve(member);
    const required = isRequired ? ` <strong>${this.text.requiredMember}</strong>` : "";
    return `<li>${name} <span class="type">${this.type(whole)}</span>${required}${this.about(whole.description)}${this.members(whole, depth + 1)}</li>`;
  }

  /** The type and the limits of a schema in words. */
  type(schema) {
    const { text } = this;
    const whole = this.resolve(schema);
    const fixed = whole.enum?.length === 1 ? whole.enum[0] : whole.const;
    if (fixed !== undefined) return `${text.limits.fixed} <code>${escaped(JSON.stringify(fixed))}</code>`;
    if (whole.enum) return `${text.oneOf} ${whole.enum.map((value) => `<code>${escaped(value)}</code>`).join(" ")}`;
    const parts = whole.oneOf ?? whole.anyOf;
    if (parts) return parts.map((part) => this.type(part)).join(` ${text.otherwise} `);
    const types = [whole.type ?? "any"].flat();
    const names = types.map((type) => (type === "array" && whole.items ? this.list(whole) : text.types[type]));
    return [names.join(` ${text.otherwise} `), ...this.limits(whole)].join(this.language === "fa" ? "، " : ", ");
  }

  list(schema) {
    return `${this.text.listOf} ${this.type(schema.items)}`;
  }

  limits(schema) {
    const { limits } = this.text;
    const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
    const range = (low, high, unit) => {
      if (low === undefined && high === undefined) return [];
      if (low === undefined || (low === 0 && unit)) return [`${limits.upTo} ${this.number(high)} ${unit}`];
      if (high === undefined) return [`${limits.from} ${this.number(low)} ${unit}`];
      return [`${this.number(low)} ${limits.to} ${this.number(high)} ${unit}`];
    };
    return [
      ...range(minLength, maxLength, limits.chars),
      ...range(minItems, maxItems, limits.items),
      ...range(minimum, maximum, ""),
      ...(schema.format ? [`<code>${escaped(schema.format)}</code>`] : []),
      ...(schema.default === undefined
        ? []
        : [`${limits.default} <code>${escaped(JSON.stringify(schema.default))}</code>`]),
    ].map((part) => part.trim());
  }

  /** Numbers stay in Latin digits, as a program writes them. */
  number(value) {
    return value === undefined ? "" : value.toLocaleString("en");
  }
}
