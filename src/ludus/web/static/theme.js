// Light, dark or what the system says; a plain script, so that it runs before the first paint.
(function () {
  const key = "ludus-theme";
  const read = () => { try { return localStorage.getItem(key) || "auto"; } catch { return "auto"; } };
  const apply = (theme) => {
    if (theme === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", theme);
  };
  apply(read());
  window.ludusTheme = {
    get: read,
    set(theme) {
      try { localStorage.setItem(key, theme); } catch { /* private window: it lasts as long as the page */ }
      apply(theme);
    },
  };
})();
