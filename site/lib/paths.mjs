// The addresses of the site's pages. A page has one address in each language: the Persian one has `fa` behind `/docs`. Some
// pages are in English alone.

export const languages = ["en", "fa"];
export const other = (language) => (language === "en" ? "fa" : "en");

/** The pages for who runs a service, by the names of their files in `docs/`, in the order in which one needs them. */
export const inEnglish = [
  "operating",
  "self-hosting",
  "backup",
  "moving-a-service",
  "signing-in",
  "carriers",
  "watching",
  "upgrading",
  "restore",
  "privacy",
  "scale",
  "cheapest",
];

/** The address of a page without the place on it. */
const pageOf = (address) => address.split("#")[0];

/** The languages that a page is in. */
export const languagesOf = (address) =>
  inEnglish.some((name) => pageOf(address) === `/docs/${name}`) ? ["en"] : languages;

/**
 * The address of a page of `/docs` in this language, or in English if it is in no other one; addresses outside `/docs`, and those
 * of files, have none.
 */
export function localized(address, language) {
  const isPage = /^\/docs(?=[/#]|$)/.test(address) && !/^\/docs\/(?:assets|openapi)\//.test(address);
  if (!isPage || language === "en" || !languagesOf(address).includes(language)) return address;
  return address.replace("/docs", "/docs/fa");
}

export const slugOf = (text) => text.toLowerCase().replace(/[^a-z]+/g, "-");
