// Sets the colors that the reader has chosen, before anything is drawn. A page without a choice follows the system.
try {
  const theme = localStorage.getItem("peyk-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser keeps nothing for this site.
}
