// Reads the AI SDK's UI message stream; everything from outside goes into the page as text.
const find = (id) => document.getElementById(id);
const [talk, form, text, send, stop] = ["talk", "ask", "text", "send", "stop"].map(find);
const conversation = crypto.randomUUID();
const UNREADABLE = "The answer is not readable.";
const WORDS = { AbortError: "Stopped.", SyntaxError: UNREADABLE, TypeError: UNREADABLE };
let running = null;

for (const question of JSON.parse(find("questions").dataset.questions)) {
  const button = add(find("questions"), "button", question);
  button.type = "button";
  button.onclick = () => ask(question);
}

form.onsubmit = (event) => {
  event.preventDefault();
  ask(text.value);
};

text.onkeydown = (event) => {
  // While an input method composes a word, Enter confirms the word.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  ask(text.value);
};

stop.onclick = () => running?.abort();

async function ask(question) {
  question = question.trim();
  if (!question || running) return;
  running = new AbortController();
  busy(true);
  text.value = "";
  add(add(talk, "article", "", "person"), "p", question);
  const reply = new Reply(add(talk, "article", "…"));
  try {
    await read(await post(question, running.signal), (chunk) => reply.take(chunk));
  } catch (error) {
    reply.note("error", WORDS[error.name] ?? error.message);
  } finally {
    reply.close();
    running = null;
    busy(false);
  }
}

async function post(question, signal) {
  const message = { id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text: question }] };
  const response = await fetch("/api/chat", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ id: conversation, messages: [message], trigger: "submit-message" }),
    signal,
  }).catch(broken("The agent cannot be reached."));
  const kind = response.headers.get("content-type") ?? "";
  if (response.ok && kind.startsWith("text/event-stream")) return response.body;
  const answer = await response.json().catch(() => null);
  throw new Error(answer?.error?.message ?? `The agent answered with status ${response.status}.`);
}

async function read(body, take) {
  const cut = "The connection broke before the answer was complete.";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  let finished = false;
  for (;;) {
    const { value, done } = await reader.read().catch(broken(cut));
    if (done) break;
    const lines = (pending + value).split(/\r?\n/);
    pending = lines.pop();
    for (const line of lines) {
      if (!line.startsWith("data:")) continue;
      const data = line.slice("data:".length).trim();
      if (data === "[DONE]") finished = true;
      else take(JSON.parse(data));
    }
  }
  if (!finished) throw new Error(cut);
}

// What a browser says of a broken connection helps nobody; a stop by the person stays a stop.
function broken(words) {
  return (error) => {
    throw error.name === "AbortError" ? error : new Error(words);
  };
}

class Reply {
  constructor(article) {
    this.article = article;
    this.texts = new Map();
    this.waiting = true;
  }

  take(chunk) {
    switch (chunk.type) {
      case "text-start":
        this.texts.set(chunk.id, this.note("text", ""));
        break;
      case "text-delta":
        this.texts.get(chunk.id).append(chunk.delta);
        this.texts.get(chunk.id).scrollIntoView({ block: "nearest" });
        break;
      case "tool-input-available":
        this.note("tool", `${chunk.toolName} ${JSON.stringify(chunk.input)}`);
        break;
      case "tool-output-available":
        if (chunk.output.view) this.show(chunk.output.view);
        break;
      case "data-citations":
        for (const citation of chunk.data.citations) this.note("source", source(citation));
        break;
      case "data-refusal":
        this.note("refusal", `Refused by the rule ${chunk.data.rule}.`);
        break;
      case "error":
        this.note("error", chunk.errorText);
        break;
    }
  }

  note(kind, words) {
    this.settle();
    return add(this.article, "p", words, kind);
  }

  show(view) {
    this.settle();
    const frame = add(this.article, "iframe");
    frame.sandbox = "";
    frame.title = "Chart";
    frame.srcdoc = view;
  }

  settle() {
    if (this.waiting) this.article.textContent = "";
    this.waiting = false;
  }

  close() {
    if (this.waiting) this.note("error", "The agent said nothing.");
  }
}

function source(citation) {
  const { study, period, base, weight, source: from } = citation;
  return `Source: ${study}, ${period}; base n=${base}, ${weight}; ${from.table}.${from.column}`;
}

function busy(is) {
  send.hidden = is;
  stop.hidden = !is;
}

function add(parent, tag, words = "", kind = "") {
  const element = document.createElement(tag);
  element.textContent = words;
  element.className = kind;
  parent.append(element);
  element.scrollIntoView({ block: "nearest" });
  return element;
}
