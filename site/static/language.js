// Leads to the Persian beginning whose browser asks for Persian, before anything is drawn. Who comes from a page of this service has
// found the language already, and what somebody has chosen here counts more than what the browser says.
{
  const known = ["en", "fa"];
  const ofBrowser = () => navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => known.includes(tag));
  const chosen = () => {
    try {
      return localStorage.getItem("peyk-docs-language");
    } catch {
      // The browser keeps nothing for this site.
      return null;
    }
  };
  const isFromHere = document.referrer.startsWith(`${location.origin}/`);
  if (!isFromHere && (chosen() ?? ofBrowser()) === "fa") location.replace(`/docs/fa${location.hash}`);
}
