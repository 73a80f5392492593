// The addresses of the site's pages. A page has one address in each language: the Persian one has `fa` behind `/docs`.

export const languages = ["en", "fa"];
export const other = (language) => (language === "en" ? "fa" : "en");

/** The address of a page of `/docs` in this language; addresses outside `/docs`, and those of files, have none. */
export function localized(address, language) {
  const isPage = /^\/docs(?=[/#]|$)/.test(address) && !/^\/docs\/(?:assets|openapi)\//.test(address);
  if (language === "en" || !isPage) return address;
  return address.replace("/docs", "/docs/fa");
}

export const slugOf = (text) => text.toLowerCase().replace(/[^a-z]+/g, "-");
