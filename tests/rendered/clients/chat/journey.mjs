// `node journey.mjs SDK URL SLOW_URL`: what a chat of the AI SDK sees, as JSON. SLOW_URL has a model that takes its time.
import { z } from "zod";

const [sdk, url, slowUrl] = process.argv.slice(2);
const { AbstractChat, DefaultChatTransport, safeValidateUIMessages, tool } = await import(sdk);

class Chat extends AbstractChat {
  constructor(url, id) {
    const state = {
      status: "ready",
      error: undefined,
      messages: [],
      pushMessage: (message) => state.messages.push(message),
      popMessage: () => state.messages.pop(),
      replaceMessage: (index, message) => (state.messages[index] = message),
      snapshot: (value) => structuredClone(value),
    };
    super({ id, state, transport: new DefaultChatTransport({ api: `${url}/api/chat` }) });
  }
}

const Citation = z.object({
  study: z.string(),
  period: z.string(),
  base: z.int(),
  weight: z.string(),
  source: z.object({ table: z.string(), column: z.string() }),
});
const Refusal = z.object({ rule: z.string(), reason: z.string() });
const dataSchemas = { citations: z.object({ citations: z.array(Citation) }), refusal: Refusal };
const tools = {
  get_species_profile: tool({
    inputSchema: z.object({ species: z.enum(["Adelie", "Chinstrap", "Gentoo"]) }),
    outputSchema: z.object({
      text: z.string(),
      data: z.object({ n: z.int() }),
      citation: Citation,
      view: z.string(),
    }),
  }),
};

async function ask(chat, text) {
  await chat.sendMessage({ text });
  return seen(chat);
}

async function seen(chat) {
  const { messages, status, error } = chat;
  const checked = await safeValidateUIMessages({ messages, tools, dataSchemas });
  const invalid = checked.success ? null : String(checked.error);
  return { roles: messages.map((m) => m.role), parts: messages.at(-1)?.parts, status, error: error?.message, invalid };
}

async function stopped(id) {
  const chat = new Chat(slowUrl, id);
  const asked = chat.sendMessage({ text: "Please wait" });
  while (chat.status !== "streaming" && chat.status !== "error") await new Promise((done) => setTimeout(done, 10));
  await chat.stop();
  await asked;
  return seen(chat);
}

const asking = new Chat(url, `${sdk}-asking`);
const journey = {
  answered: await ask(new Chat(url, `${sdk}-answered`), "How heavy are Gentoo penguins?"),
  refused: await ask(new Chat(url, `${sdk}-refused`), "How heavy are emperor penguins?"),
  "asked back": await ask(asking, "How heavy are they?"),
  "followed up": await ask(asking, "Gentoo"),
  broken: await ask(new Chat(slowUrl, `${sdk}-broken`), "Please break"),
  stopped: await stopped(`${sdk}-stopped`),
  wrong: await ask(new Chat(url, "an id with blanks"), "Hello"),
};
process.stdout.write(JSON.stringify(journey), () => process.exit());
