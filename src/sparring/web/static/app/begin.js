// Every page makes itself ready for a time without a connection, where the browser can.

const base = new URL("..", import.meta.url).pathname;
if ("serviceWorker" in navigator && window.isSecureContext)
  navigator.serviceWorker.register(`/worker.js?of=${encodeURIComponent(base)}`, { scope: "/" }).catch(() => {});
