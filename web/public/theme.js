// Before anything is drawn, and in words that old browsers know: the theme chosen last time, so that the page
// does not flash; and a sentence for browsers that cannot draw the table.
(function () {
  try {
    var theme = JSON.parse(localStorage.getItem("elysian") || "{}").theme;
    if (theme === "light" || theme === "dark") document.documentElement.setAttribute("data-theme", theme);
  } catch (without) {
    // A browser without storage follows the system.
  }
  if (window.CSS && CSS.supports && CSS.supports("color", "light-dark(red, red)") && "noModule" in document.createElement("script")) return;
  document.addEventListener("DOMContentLoaded", function () {
    var german = /^de/i.test(navigator.language || "");
    var said = document.createElement("p");
    said.setAttribute("role", "alert");
    said.style.cssText = "margin:0;padding:16px;background:#fdebd0;color:#3b2500;font:16px sans-serif";
    said.appendChild(document.createTextNode(german
      ? "Dieser Browser ist zu alt für den Tisch. Er läuft in Chrome oder Edge ab 123, Firefox ab 120 und Safari ab 17.5."
      : "This browser is too old for the table. It runs in Chrome or Edge from 123, Firefox from 120 and Safari from 17.5."));
    document.body.insertBefore(said, document.body.firstChild);
  });
})();
