// Passkeys: pass the server's options to the browser, and the browser's answer to the server.
// In browsers without passkeys the forms stay hidden; name and password still work.

const refusal = document.querySelector("[data-refusal]");

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
const text = (buffer) => {
  const chars = Array.from(new Uint8Array(buffer), (code) => String.fromCharCode(code)).join("");
  return btoa(chars).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};
const known = (list) => (list ?? []).map((each) => ({ ...each, id: bytes(each.id) }));

async function post(address, body) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.reason);
  return said;
}

async function make(form) {
  const said = Object.fromEntries(new FormData(form));
  const { options, ticket } = await post("/me/passkeys/begin", { name: said.name ?? "" });
  const { publicKey } = options;
  const credential = await navigator.credentials.create({
    publicKey: {
      ...publicKey,
      challenge: bytes(publicKey.challenge),
      user: { ...publicKey.user, id: bytes(publicKey.user.id) },
      excludeCredentials: known(publicKey.excludeCredentials),
    },
  });
  const { clientDataJSON, attestationObject } = credential.response;
  const answer = { ...named(credential), response: { clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject) } };
  return post("/me/passkeys", { ticket, answer, label: said.label });
}

async function signIn(form) {
  const said = Object.fromEntries(new FormData(form));
  const { options, ticket } = await post("/sign-in/passkey/begin", {});
  const { publicKey } = options;
  const found = await navigator.credentials.get({ publicKey: { ...publicKey, challenge: bytes(publicKey.challenge) } });
  const { clientDataJSON, authenticatorData, signature, userHandle } = found.response;
  const response = {
    clientDataJSON: text(clientDataJSON),
    authenticatorData: text(authenticatorData),
    signature: text(signature),
    userHandle: userHandle ? text(userHandle) : null,
  };
  return post("/sign-in/passkey", { ticket, answer: { ...named(found), response }, bring: said.bring === "yes", back: said.back });
}

const named = ({ id, rawId, type }) => ({ id, rawId: text(rawId), type });

// Browsers report a closed dialog and a missing passkey as the same error.
const words = ({ name, message }) =>
  ({
    NotAllowedError: "No passkey was chosen. Try again, or sign in with a name and password.",
    InvalidStateError: "This device already has one of your passkeys.",
  })[name] ?? message;

// Some pages need a POST, such as recovery codes, which are shown once; submit a form to open them.
function goOn({ to, post }) {
  if (!post) return location.assign(to);
  const form = Object.assign(document.createElement("form"), { method: "post", action: to, hidden: true });
  for (const [name, value] of Object.entries(post)) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(form);
  form.submit();
}

function offer(form, ceremony) {
  if (!form || !window.PublicKeyCredential) return;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    refusal.hidden = true;
    form.inert = true;
    try {
      goOn(await ceremony(form));
    } catch (problem) {
      refusal.textContent = words(problem);
      refusal.hidden = false;
      form.inert = false;
    }
  });
}

offer(document.querySelector("[data-make]"), make);
offer(document.querySelector("[data-come-in]"), signIn);
