// Before anything is drawn: the theme chosen last time, so that the page does not flash.
try {
  const theme = JSON.parse(localStorage.getItem("elysian") || "{}").theme;
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser without storage follows the system.
}
