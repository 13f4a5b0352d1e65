// Push notifications: subscribe this browser at its push service, and tell the server.

const offer = document.querySelector("[data-push]");
const said = document.querySelector("[data-push-problem]");

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted")
    return "Notifications are blocked; you can allow them in your browser's site settings.";
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  await old?.unsubscribe(); // it may be for an earlier key of the server
  const found = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: offer.dataset.push });
  const label = navigator.userAgentData?.platform || navigator.platform || "";
  const answer = await fetch("/me/push", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ endpoint: found.endpoint, keys: found.toJSON().keys, label }),
  });
  const told = await answer.json();
  if (!answer.ok) return told.reason;
  location.assign(told.to);
  return "";
}

async function start() {
  if (!("PushManager" in window && "serviceWorker" in navigator && window.isSecureContext)) {
    said.textContent = "This browser can't get push notifications here. They need HTTPS and, on an iPhone, the installed app.";
    return;
  }
  said.textContent = "";
  offer.hidden = false;
  offer.querySelector("button").addEventListener("click", async ({ target }) => {
    target.disabled = true;
    try {
      said.textContent = await subscribe();
    } catch {
      said.textContent = "The browser's push service can't be reached. Please try again later.";
    }
    target.disabled = false;
  });
}

start();
