// How other providers write placeholders in templates.
import { isName, namesIn } from "./placeholders.mjs";

/** The tokens that a lookup of Kavenegar fills. */
const tokens = new Set(["token", "token2", "token3", "token10", "token20"]);

/**
 * For each provider what makes a text with our placeholders of its own. It calls `place` for each placeholder, which gives what stands
 * for it, and `fault` for what can't be moved.
 */
const converters = {
  // A percent sign behind a token closes it, if no other token begins there.
  kavenegar: (text, { place, fault }) =>
    text.replace(/%(token\d*)(?:%(?!token))?/g, (written, name) => {
      if (!tokens.has(name)) fault(`${written} is none of the tokens of Kavenegar: ${[...tokens].join(", ")}`);
      return place(name);
    }),
  // The form is ours. What is left and looks like a placeholder has a name that none of ours may have.
  ippanel: (text, { place }) => {
    const left = namesIn(text).reduce((rest, name) => rest.replaceAll(place(name), " "), text);
    const alike = /(?<!\p{N})%([\p{Alphabetic}\p{N}_][\p{Alphabetic}\p{N}_.\u200c-]*)%/gu;
    for (const [, name] of left.matchAll(alike)) place(name);
    return text;
  },
  smsir: (text, { place }) => text.replace(/#([^#\s]+)#/g, (_, name) => place(name)),
  // No name of ours begins with a digit, so the door writes `_` before a number.
  twilio: (text, { place }) =>
    text.replace(/\{\{\s*([^{}\s]+)\s*\}\}/g, (_, name) => place(/^\d+$/.test(name) ? `_${name}` : name)),
};

export const providers = Object.keys(converters);

/** The text of a provider's template as that of a pattern: `{text, names, faults}`. */
export function converted(provider, written) {
  const [faults, placed] = [[], new Set()];
  const place = (name) => {
    if (!isName(name))
      faults.push(`"${name}" can't be a variable: take a letter or _, then letters, digits, _ and -, 50 at most`);
    placed.add(name);
    return `%${name}%`;
  };
  const text = converters[provider](written, { place, fault: (fault) => faults.push(fault) });
  const names = namesIn(text);
  if (faults.length === 0 && String(names) !== String([...placed]))
    faults.push(
      `its percent signs make the placeholders ${names.map((name) => `%${name}%`).join(", ")} here: ` +
        "write a blank behind one that shall be a percent sign",
    );
  return { text, names, faults };
}
