// Register the service worker on every page, if the browser supports it.

const base = new URL("..", import.meta.url).pathname;
if ("serviceWorker" in navigator && window.isSecureContext)
  navigator.serviceWorker.register(`/worker.js?of=${encodeURIComponent(base)}`, { scope: "/" }).catch(() => {});
